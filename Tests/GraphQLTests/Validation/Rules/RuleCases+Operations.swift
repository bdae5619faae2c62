@testable import GraphQL

extension RuleCases {
  static let executableDefinitions = RuleCases(
    .executableDefinitions,
    valid: [
      "query A { film { id } } mutation B { remove(id: 1) } fragment F on Film { id }"
    ],
    invalid: [
      .init(
        """
        { film { id } }
        type Shop { name: String }
        """,
        #"2:1 The "Shop" definition is not executable."#
      ),
      .init(
        """
        query A { film { id } }
        schema { query: Query }
        extend schema @onQuery
        extend type Film { age: Int }
        directive @x on FIELD
        """,
        "2:1 The schema definition is not executable.",
        "3:1 The schema definition is not executable.",
        #"4:1 The "Film" definition is not executable."#,
        #"5:1 The "x" definition is not executable."#
      ),
      .init(
        """
        scalar Money
        interface I { a: Int }
        union U = A
        enum E { A }
        input N { a: Int }
        """,
        #"1:1 The "Money" definition is not executable."#,
        #"2:1 The "I" definition is not executable."#,
        #"3:1 The "U" definition is not executable."#,
        #"4:1 The "E" definition is not executable."#,
        #"5:1 The "N" definition is not executable."#
      ),
    ]
  )

  static let knownOperationTypes = RuleCases(
    .knownOperationTypes,
    valid: [
      "{ film { id } }",
      "query A { film { id } } query B { film { id } } fragment F on Film { id }",
      "fragment F on Film { id }",
    ],
    // graphql-core 3.2.8 does not have this rule.
    invalid: [
      .init(
        """
        query A { film { id } }
        mutation B { remove(id: 1) }
        """,
        "2:1 The mutation operation is not supported by the schema."
      ),
      .init(
        """
        "Tells of films." subscription ($a: ID) { added(id: $a) { id } }
        mutation { remove }
        mutation { remove }
        """,
        "1:1 The subscription operation is not supported by the schema.",
        "2:1 The mutation operation is not supported by the schema.",
        "3:1 The mutation operation is not supported by the schema."
      ),
    ]
  )

  static let uniqueOperationNames = RuleCases(
    .uniqueOperationNames,
    valid: [
      "fragment A on Film { id }",
      "{ film { id } }",
      "query A { film { id } } query B { film { id } }",
      "query A { film { ...A } } fragment A on Film { id }",
      "query a { film { id } } query A { film { id } }",
    ],
    invalid: [
      .init(
        """
        query A { film { id } }
        query B { book { id } }
        query A { work { id } }
        """,
        #"1:7 3:7 There can be only one operation named "A"."#
      ),
      .init(
        """
        query A { film { id } }
        mutation A { remove(id: 1) }
        """,
        #"1:7 2:10 There can be only one operation named "A"."#
      ),
      .init(
        """
        subscription A { added { id } }
        query A { film { id } }
        mutation A { remove(id: 1) }
        """,
        #"1:14 2:7 There can be only one operation named "A"."#,
        #"1:14 3:10 There can be only one operation named "A"."#
      ),
    ]
  )

  static let loneAnonymousOperation = RuleCases(
    .loneAnonymousOperation,
    valid: [
      "fragment F on Film { id }",
      "{ film { id } }",
      "query A { film { id } } mutation B { remove(id: 1) }",
      "{ film { ...F } } fragment F on Film { id }",
    ],
    invalid: [
      .init(
        """
        { film { id } }
        { book { id } }
        """,
        "1:1 This anonymous operation must be the only defined operation.",
        "2:1 This anonymous operation must be the only defined operation."
      ),
      .init(
        """
        { film { id } }
        mutation M { remove(id: 1) }
        """,
        "1:1 This anonymous operation must be the only defined operation."
      ),
      .init(
        """
        query A { film { id } }
        subscription { added { id } }
        """,
        "2:1 This anonymous operation must be the only defined operation."
      ),
    ]
  )

  static let singleFieldSubscriptions = RuleCases(
    .singleFieldSubscriptions,
    valid: [
      "query { film { id } book { id } }",
      "subscription { added { id title } }",
      "subscription S { ...F } fragment F on Subscription { added { id } }",
      "subscription S { added { id } ...F } fragment F on Subscription { added { title } }",
      "subscription S { ... on Subscription { ... { added { id } } } }",
      """
      subscription S { ...A } fragment A on Subscription { ...B } fragment B on Subscription { added { id }
        ...A }
      """,
      "subscription S { ...Missing }",
      "subscription S { new: added { id } new: added { title } }",
      "subscription S { added @onField { id } }",
    ],
    invalid: [
      // graphql-core 3.2.8 does not have this part of the rule (section 5.2.4.1).
      .init(
        "subscription S($a: Boolean!) { added @skip(if: $a) { id } }",
        #"1:38 Subscription "S" must not use `@skip` or `@include` directives in the top level "#
          + "selection."
      ),
      .init(
        "subscription ($a: Boolean!) { ... @include(if: $a) { added { id } } }",
        "1:35 Anonymous Subscription must not use `@skip` or `@include` directives in the top level "
          + "selection."
      ),
      .init(
        """
        subscription S {
          added { id }
          removed
        }
        """,
        #"3:3 Subscription "S" must select only one top level field."#
      ),
      .init(
        "subscription S { added { id } __typename }",
        #"1:31 Subscription "S" must select only one top level field."#,
        #"1:31 Subscription "S" must not select an introspection top level field."#
      ),
      .init(
        "subscription S { __typename }",
        #"1:18 Subscription "S" must not select an introspection top level field."#
      ),
      .init(
        "subscription { __typename }",
        "1:16 Anonymous Subscription must not select an introspection top level field."
      ),
      .init(
        "subscription S { __schema { queryType { name } } }",
        #"1:18 Subscription "S" must not select an introspection top level field."#
      ),
      .init(
        """
        subscription {
          added { id }
          removed
        }
        """,
        "3:3 Anonymous Subscription must select only one top level field."
      ),
      .init(
        """
        subscription S {
          a: added { id }
          b: added { id }
          c: removed
          d: removed
        }
        """,
        #"3:3 4:3 5:3 Subscription "S" must select only one top level field."#
      ),
      .init(
        """
        subscription {
          a: removed
          b: removed
          c: removed
          d: removed
          ... { e: removed }
          ...F
        }
        fragment F on Subscription { f: removed f: removed }
        """,
        "3:3 4:3 5:3 6:9 9:30 9:41 Anonymous Subscription must select only one top level field."
      ),
      .init(
        """
        subscription S { removed ...A }
        fragment A on Subscription { added { id } ...B }
        fragment B on Subscription { other: removed ...A }
        """,
        #"2:30 3:30 Subscription "S" must select only one top level field."#
      ),
      .init(
        """
        subscription S { ...F }
        fragment F on Subscription { added { id } __typename }
        """,
        #"2:43 Subscription "S" must select only one top level field."#,
        #"2:43 Subscription "S" must not select an introspection top level field."#
      ),
      .init(
        """
        subscription S {
          added { id }
          a: removed
          ...F
          ... on Subscription { c: removed }
          d: removed
        }
        fragment F on Subscription { b: removed }
        """,
        #"3:3 8:30 5:25 6:3 Subscription "S" must select only one top level field."#
      ),
      .init(
        """
        subscription {
          added { id }
          a: removed
          ... { b: removed c: removed }
          d: removed
          e: removed
        }
        """,
        "3:3 4:9 4:20 5:3 6:3 Anonymous Subscription must select only one top level field."
      ),
    ]
  )
}
