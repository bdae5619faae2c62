@testable import GraphQL

extension RuleCases {
  static let maxIntrospectionDepth = RuleCases(
    .limits,
    valid: [
      "{ __schema { types { name fields { name type { name kind ofType { name kind } } } } } }",
      "{ __schema { types { fields { type { fields { name } } } } } }",
      #"{ __type(name: "Film") { fields { type { interfaces { name } } } } }"#,
      "{ film { id } }",
      """
      { __schema { types { ...A } } } fragment A on __Type { fields { ...B } } fragment B on __Field { type {
        name } }
      """,
      "{ __schema { types { ...Missing } } }",
      "{ __schema { types { ...A } } } fragment A on __Type { ofType { ...A } }",
    ],
    invalid: [
      .init(
        "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }",
        "1:3 Maximum introspection depth exceeded"
      ),
      .init(
        "{ __schema { types { interfaces { fields { type { interfaces { name } } } } } } }",
        "1:3 Maximum introspection depth exceeded"
      ),
      .init(
        "{ __schema { types { possibleTypes { possibleTypes { possibleTypes { name } } } } } }",
        "1:3 Maximum introspection depth exceeded"
      ),
      .init(
        "{ __schema { types { inputFields { type { inputFields { type { inputFields { name } } } } } } } }",
        "1:3 Maximum introspection depth exceeded"
      ),
      .init(
        """
        query ($n: String!) { __type(name: $n) { fields { type { fields { type { fields { name } } } } } } }
        """,
        "1:23 Maximum introspection depth exceeded"
      ),
      .init(
        """
        { s: __schema { t: types { f: fields { y: type { f: fields { y: type { f: fields { n: name } } } } } }
          } }
        """,
        "1:3 Maximum introspection depth exceeded"
      ),
      .init(
        """
        { __schema { ... { types { ... on __Type { fields { type { ... { fields { type { fields { name } } } }
          } } } } } } }
        """,
        "1:3 Maximum introspection depth exceeded"
      ),
      .init(
        """
        { __schema { types { ...A } } }
        fragment A on __Type { fields { type { ...B } } }
        fragment B on __Type { fields { type { fields { name } } } }
        """,
        "1:3 Maximum introspection depth exceeded"
      ),
      .init(
        """
        query Q { ...S }
        fragment S on Query { __schema { types { fields { type { fields { type { fields { name } } } } } } } }
        """,
        "2:23 Maximum introspection depth exceeded"
      ),
      .init(
        """
        { a: __schema { types { fields { type { fields { type { fields { name } } } } } } } b: __type(name:
          "Film") { fields { type { fields { type { fields { name } } } } } } }
        """,
        "1:3 Maximum introspection depth exceeded",
        "1:85 Maximum introspection depth exceeded"
      ),
      .init(
        """
        query A { __schema { types { name } } }
        query B { __schema { types { fields { args { type { fields { type { fields { name } } } } } } } } }
        """,
        "2:11 Maximum introspection depth exceeded"
      ),
    ]
  )

  static let noSchemaIntrospection = RuleCases(
    .noSchemaIntrospection,
    valid: [
      "{ film { id } }",
      "{ film { __typename } __typename }",
    ],
    invalid: [
      .init(
        "{ __schema { queryType { name } } }",
        #"1:3 GraphQL introspection has been disabled, but the requested query contained the field "__schema"."#,
        #"1:14 GraphQL introspection has been disabled, but the requested query contained the field "#
          + #""queryType"."#
      ),
      .init(
        #"{ __type(name: "Film") { name fields { name } } }"#,
        #"1:3 GraphQL introspection has been disabled, but the requested query contained the field "__type"."#,
        #"1:31 GraphQL introspection has been disabled, but the requested query contained the field "fields"."#
      ),
      .init(
        #"{ __schema { types { name fields { name } } } __type(name: "Film") { name } }"#,
        #"1:3 GraphQL introspection has been disabled, but the requested query contained the field "__schema"."#,
        #"1:14 GraphQL introspection has been disabled, but the requested query contained the field "types"."#,
        #"1:27 GraphQL introspection has been disabled, but the requested query contained the field "fields"."#,
        #"1:47 GraphQL introspection has been disabled, but the requested query contained the field "__type"."#
      ),
      .init(
        """
        { ...F }
        fragment F on Query { x: __schema { queryType { name } } }
        """,
        #"2:23 GraphQL introspection has been disabled, but the requested query contained the field "#
          + #""__schema"."#,
        #"2:37 GraphQL introspection has been disabled, but the requested query contained the field "#
          + #""queryType"."#
      ),
      .init(
        "{ __schema { directives { name args { name } } } }",
        #"1:3 GraphQL introspection has been disabled, but the requested query contained the field "__schema"."#,
        #"1:14 GraphQL introspection has been disabled, but the requested query contained the field "#
          + #""directives"."#,
        #"1:32 GraphQL introspection has been disabled, but the requested query contained the field "args"."#
      ),
    ]
  )

  static let noDeprecated = RuleCases(
    .noDeprecated,
    valid: [
      "{ book { title pages } accepts(language: GERMAN) }",
      "{ book { unknown } unknown }",
      #"{ accepts(book: {title: "a"}) }"#,
      "query ($a: Language = GERMAN) { accepts(language: $a) }",
      "{ film @sized(width: 1, height: 1) { id } }",
      "{ book { related { id } } }",
    ],
    invalid: [
      .init("{ book { shelf } }", "1:10 The field Book.shelf is deprecated. Use place."),
      .init(
        "fragment F on Book { shelf previous { x: shelf } }",
        "1:22 The field Book.shelf is deprecated. Use place.",
        "1:39 The field Book.shelf is deprecated. Use place."
      ),
      .init(
        "{ book { related(by: GERMAN) { id } } }",
        #"1:18 Field "Book.related" argument "by" is deprecated. Use kind."#
      ),
      .init(
        "{ film @sized(width: 1, height: 1, old: 1) { id } }",
        #"1:36 Directive "@sized" argument "old" is deprecated. Use unit."#
      ),
      .init(
        #"{ accepts(book: {title: "a", shelf: "b"}) }"#,
        "1:30 The input field BookInput.shelf is deprecated. Use place."
      ),
      .init(
        #"{ accepts(book: {title: "a", previous: {title: "b", shelf: "c", languages: [LATIN]}}) }"#,
        "1:53 The input field BookInput.shelf is deprecated. Use place.",
        #"1:77 The enum value "Language.LATIN" is deprecated. Use another."#
      ),
      .init("{ accepts(language: LATIN) }", #"1:21 The enum value "Language.LATIN" is deprecated. Use another."#),
      .init(
        """
        query ($a: Language = LATIN, $b: BookInput = {title: "a", shelf: "x"}) { film { title(language: LATIN)
          } }
        """,
        #"1:23 The enum value "Language.LATIN" is deprecated. Use another."#,
        "1:59 The input field BookInput.shelf is deprecated. Use place.",
        #"1:97 The enum value "Language.LATIN" is deprecated. Use another."#
      ),
    ]
  )
}
