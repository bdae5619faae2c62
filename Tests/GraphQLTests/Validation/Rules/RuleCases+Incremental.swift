@testable import GraphQL

/// The rules for `@defer` and `@stream`, with the messages of graphql-js 17.
extension RuleCases {
  static let deferStreamDirectiveOnRootField = RuleCases(
    .deferStreamDirectiveOnRootField,
    valid: [
      "{ ... @defer { film { id } } results @stream { __typename } }",
      "mutation { add(book: {title: \"A\"}) { ... @defer { id } editions @stream { id } } }",
      "subscription { added { id } }",
    ],
    invalid: [
      .init(
        "mutation { ... @defer { remove(id: 1) } ...F @defer } fragment F on Mutation { remove(id: 2) }",
        #"1:16 Defer directive cannot be used on root mutation type "Mutation"."#,
        #"1:46 Defer directive cannot be used on root mutation type "Mutation"."#
      ),
      .init(
        "subscription { ... @defer { added { id } } }",
        #"1:20 Defer directive cannot be used on root subscription type "Subscription"."#
      ),
      .init(
        "mutation { remove(id: 1) @stream }",
        #"1:26 Stream directive cannot be used on root mutation type "Mutation"."#
      ),
    ]
  )

  static let deferStreamDirectiveOnValidOperations = RuleCases(
    .deferStreamDirectiveOnValidOperations,
    valid: [
      "{ film { ... @defer { id } } }",
      "subscription ($a: Boolean!) { added { ... @defer(if: $a) { id } editions @stream(if: false) { id } } }",
      "subscription A { added { id } } query B { film { ...F } } fragment F on Film { cast @stream { id } }",
    ],
    invalid: [
      .init(
        "subscription { added { ... @defer { id } editions @stream(if: true) { id } } }",
        "1:28 Defer directive not supported on subscription operations. Disable `@defer` by setting the `if` argument "
          + "to `false`.",
        "1:51 Stream directive not supported on subscription operations. Disable `@stream` by setting the `if` argument "
          + "to `false`."
      ),
      .init(
        "subscription { added { ...F } } fragment F on Book { ...G } fragment G on Book { ... @defer { id } }",
        "1:86 Defer directive not supported on subscription operations. Disable `@defer` by setting the `if` argument "
          + "to `false`."
      ),
    ]
  )

  static let deferStreamDirectiveLabel = RuleCases(
    .deferStreamDirectiveLabel,
    valid: [
      "{ ... @defer { film { id } } ... @defer { film { id } } }",
      "{ ... @defer(label: \"A\") { film { id } } results @stream(label: \"B\") { __typename } }",
      "{ ... @defer(label: \"\u{E9}\") { film { id } } results @stream(label: \"e\u{301}\") { __typename } }",
    ],
    invalid: [
      .init(
        "query ($a: String) { ... @defer(label: $a) { film { id } } }",
        #"1:26 Argument "@defer(label:)" must be a static string."#
      ),
      .init(
        "{ ... @defer(label: \"A\") { film { id } } results @stream(label: \"A\") { __typename } }",
        #"1:7 1:50 Value for arguments "defer(label:)" and "stream(label:)" must be unique across all Defer/Stream "#
          + "directive usages."
      ),
    ]
  )

  static let streamDirectiveOnListField = RuleCases(
    .streamDirectiveOnListField,
    valid: ["{ results @stream { __typename } person { works @stream(initialCount: 1) { id } } }"],
    invalid: [
      .init(
        "{ film @stream { id } }",
        #"1:8 Directive "@stream" cannot be used on non-list field "film" on type "Query"."#
      )
    ]
  )
}
