@testable import GraphQL

extension RuleCases {
  static let knownTypeNames = RuleCases(
    .knownTypeNames,
    valid: [
      "query ($a: String, $b: [Key!]!) { film { ... on Work { id } ...F } } fragment F on Film { id }",
      "{ film { ... { id } } }",
    ],
    invalid: [
      .init("query ($a: Nothing) { film { id } }", #"1:12 Unknown type "Nothing". Did you mean "String"?"#),
      .init(
        """
        query ($a: [Langage!], $b: Bok) { work { ... on Filmm { id } ...F } }
        fragment F on Persn { id }
        """,
        #"1:13 Unknown type "Langage". Did you mean "Language"?"#,
        #"1:28 Unknown type "Bok". Did you mean "Book" or "Work"?"#,
        #"1:49 Unknown type "Filmm". Did you mean "Film" or "Item"?"#,
        #"2:15 Unknown type "Persn". Did you mean "Person"?"#
      ),
      .init(
        "query ($a: Wor) { film { ... on __Typ { id } } }",
        #"1:12 Unknown type "Wor". Did you mean "Work"?"#,
        #"1:33 Unknown type "__Typ". Did you mean "__Type"?"#
      ),
      .init("fragment F on Zebra { id }", #"1:15 Unknown type "Zebra"."#),
      .init(
        "query ($a: Sting, $b: Floa) { film { id } }",
        #"1:12 Unknown type "Sting". Did you mean "String" or "Int"?"#,
        #"1:23 Unknown type "Floa". Did you mean "Float"?"#
      ),
      .init(
        "query ($a: Ite, $b: Rsult) { film { id } }",
        #"1:12 Unknown type "Ite". Did you mean "Item", "ID", or "Int"?"#,
        #"1:21 Unknown type "Rsult". Did you mean "Result"?"#
      ),
      .init(
        "query ($a: __TypeKnd) { film { id } }",
        #"1:12 Unknown type "__TypeKnd". Did you mean "__TypeKind" or "__Type"?"#
      ),
    ]
  )

  static let fragmentsOnCompositeTypes = RuleCases(
    .fragmentsOnCompositeTypes,
    valid: [
      "fragment F on Film { id }",
      "fragment F on Work { id }",
      "{ film { ... on Film { id } } }",
      "{ film { ... { id } } }",
      "fragment F on Item { __typename }",
      "{ work { ... on Entity { id } } }",
      "fragment F on Nothing { id }",
    ],
    invalid: [
      .init("fragment F on Moment { id }", #"1:15 Fragment "F" cannot condition on non composite type "Moment"."#),
      .init(
        "fragment F on Language { id }",
        #"1:15 Fragment "F" cannot condition on non composite type "Language"."#
      ),
      .init("fragment F on Key { id }", #"1:15 Fragment "F" cannot condition on non composite type "Key"."#),
      .init(
        "{ film { ... on String { id } ... on BookInput { id } } }",
        #"1:17 Fragment cannot condition on non composite type "String"."#,
        #"1:38 Fragment cannot condition on non composite type "BookInput"."#
      ),
      .init(
        "{ film { ... on Language { id } } }",
        #"1:17 Fragment cannot condition on non composite type "Language"."#
      ),
    ]
  )

  static let variablesAreInputTypes = RuleCases(
    .variablesAreInputTypes,
    valid: [
      "query ($a: String, $b: [Boolean!]!, $c: Key, $d: Language, $e: Moment) { film { id } }",
      "query ($a: Nothing) { film { id } }",
    ],
    invalid: [
      .init(
        "query ($a: Film, $b: [[Item!]]!, $c: Work!) { film { id } }",
        #"1:12 Variable "$a" cannot be non-input type "Film"."#,
        #"1:22 Variable "$b" cannot be non-input type "[[Item!]]!"."#,
        #"1:38 Variable "$c" cannot be non-input type "Work!"."#
      ),
      .init("query ($a: __Schema) { film { id } }", #"1:12 Variable "$a" cannot be non-input type "__Schema"."#),
    ]
  )
}
