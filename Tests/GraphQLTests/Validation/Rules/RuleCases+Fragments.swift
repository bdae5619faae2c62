@testable import GraphQL

extension RuleCases {
  static let uniqueFragmentNames = RuleCases(
    .uniqueFragmentNames,
    valid: [
      "{ film { ...A } } fragment A on Film { id }",
      "{ film { ...A ...B } } fragment A on Film { id } fragment B on Film { id }",
      "query A { film { ...A } } fragment A on Film { id }",
      "{ film { ... on Film { id } ... on Film { id } } }",
    ],
    invalid: [
      .init(
        """
        { film { ...A } }
        fragment A on Film { id }
        fragment A on Film { minutes }
        """,
        #"2:10 3:10 There can be only one fragment named "A"."#
      ),
      .init(
        """
        fragment A on Film { id }
        fragment A on Book { id }
        fragment B on Film { id }
        fragment A on Film { id }
        """,
        #"1:10 2:10 There can be only one fragment named "A"."#,
        #"1:10 4:10 There can be only one fragment named "A"."#
      ),
    ]
  )

  static let knownFragmentNames = RuleCases(
    .knownFragmentNames,
    valid: [
      """
      { film { ...A ... on Film { ...B } ... { id } } } fragment A on Film { id } fragment B on Film { ...A }
      """
    ],
    invalid: [
      .init(
        """
        { film { ...A ... on Film { ...B } } }
        fragment C on Film { id ...D }
        """,
        #"1:13 Unknown fragment "A"."#,
        #"1:32 Unknown fragment "B"."#,
        #"2:28 Unknown fragment "D"."#
      )
    ]
  )

  static let noUnusedFragments = RuleCases(
    .noUnusedFragments,
    valid: [
      """
      { film { ...A ... on Film { ...B } } } fragment A on Film { id } fragment B on Film { ...C } fragment C
        on Film { id }
      """,
      """
      query A { film { ...A } } query B { film { ...B } } fragment A on Film { id } fragment B on Film { id }
      """,
    ],
    invalid: [
      .init(
        """
        { film { ...A } }
        fragment A on Film { id }
        fragment B on Film { id }
        fragment C on Film { id }
        """,
        #"3:1 Fragment "B" is never used."#,
        #"4:1 Fragment "C" is never used."#
      ),
      .init(
        """
        { film { id } }
        fragment A on Film { ...B }
        fragment B on Film { ...A }
        """,
        #"2:1 Fragment "A" is never used."#,
        #"3:1 Fragment "B" is never used."#
      ),
      .init(
        """
        { film { ...Missing } }
        fragment A on Film { id }
        """,
        #"2:1 Fragment "A" is never used."#
      ),
    ]
  )

  static let possibleFragmentSpreads = RuleCases(
    .possibleFragmentSpreads,
    valid: [
      "fragment A on Film { ...B } fragment B on Film { id }",
      "fragment A on Film { ... on Film { id } ... on Work { id } ... on Item { __typename } }",
      "fragment A on Work { ... on Film { id } ... on Loanable { due } }",
      "fragment A on Item { ... on Result { __typename } ... on Work { id } }",
      "fragment A on Entity { ... on Person { id } ... on Item { __typename } }",
      "fragment A on Film { ... on Nothing { id } ... on Language { id } ... { id } }",
      "fragment A on Film { ...Missing }",
      "fragment A on Loanable { ...B } fragment B on Result { __typename }",
    ],
    invalid: [
      .init(
        """
        fragment A on Film { ...B }
        fragment B on Book { id }
        """,
        #"1:22 Fragment "B" cannot be spread here as objects of type "Film" can never be of type "Book"."#
      ),
      .init(
        "fragment A on Film { ... on Book { id } }",
        #"1:22 Fragment cannot be spread here as objects of type "Film" can never be of type "Book"."#
      ),
      .init(
        """
        fragment A on Film { ...B }
        fragment B on Loanable { due }
        """,
        #"1:22 Fragment "B" cannot be spread here as objects of type "Film" can never be of type "Loanable"."#
      ),
      .init(
        "fragment A on Film { ... on Result { __typename } }",
        #"1:22 Fragment cannot be spread here as objects of type "Film" can never be of type "Result"."#
      ),
      .init(
        """
        fragment A on Item { ...B }
        fragment B on Person { id }
        """,
        #"1:22 Fragment "B" cannot be spread here as objects of type "Item" can never be of type "Person"."#
      ),
      .init(
        "fragment A on Item { ... on Person { id } }",
        #"1:22 Fragment cannot be spread here as objects of type "Item" can never be of type "Person"."#
      ),
      .init(
        "fragment A on Loanable { ... on Film { id } ... on Person { id } }",
        #"1:26 Fragment cannot be spread here as objects of type "Loanable" can never be of type "Film"."#,
        #"1:45 Fragment cannot be spread here as objects of type "Loanable" can never be of type "Person"."#
      ),
      .init(
        """
        fragment A on Work { ...B }
        fragment B on Person { id }
        """,
        #"1:22 Fragment "B" cannot be spread here as objects of type "Work" can never be of type "Person"."#
      ),
      .init(
        """
        fragment A on Person { ...B ...C }
        fragment B on Work { id }
        fragment C on Item { __typename }
        """,
        #"1:24 Fragment "B" cannot be spread here as objects of type "Person" can never be of type "Work"."#,
        #"1:29 Fragment "C" cannot be spread here as objects of type "Person" can never be of type "Item"."#
      ),
      .init(
        "fragment A on Person { ... on Loanable { due } }",
        #"1:24 Fragment cannot be spread here as objects of type "Person" can never be of type "Loanable"."#
      ),
    ]
  )

  static let noFragmentCycles = RuleCases(
    .noFragmentCycles,
    valid: [
      "fragment A on Film { ...B } fragment B on Film { id }",
      "fragment A on Film { ...B ...B } fragment B on Film { id }",
      "fragment A on Film { ...B ...C } fragment B on Film { ...C } fragment C on Film { id }",
      "fragment A on Film { ...Missing }",
      "fragment A on Entity { ... on Film { ...B } ... on Book { ...B } } fragment B on Entity { id }",
    ],
    invalid: [
      .init("fragment A on Person { friends { ...A } }", #"1:34 Cannot spread fragment "A" within itself."#),
      .init("fragment A on Film { ...A }", #"1:22 Cannot spread fragment "A" within itself."#),
      .init("fragment A on Item { ... on Film { ...A } }", #"1:36 Cannot spread fragment "A" within itself."#),
      .init(
        "fragment A on Person { ...A friends { ...A } }",
        #"1:24 Cannot spread fragment "A" within itself."#,
        #"1:39 Cannot spread fragment "A" within itself."#
      ),
      .init(
        """
        fragment A on Film { ...B }
        fragment B on Film { ...A }
        """,
        #"1:22 2:22 Cannot spread fragment "A" within itself via "B"."#
      ),
      .init(
        """
        fragment B on Film { ...A }
        fragment A on Film { ...B }
        """,
        #"1:22 2:22 Cannot spread fragment "B" within itself via "A"."#
      ),
      .init(
        """
        fragment A on Item { ... on Film { ...B } }
        fragment B on Item { ... on Film { ...A } }
        """,
        #"1:36 2:36 Cannot spread fragment "A" within itself via "B"."#
      ),
      .init(
        """
        fragment A on Film { ...B }
        fragment B on Film { ...C }
        fragment C on Film { ...A }
        """,
        #"1:22 2:22 3:22 Cannot spread fragment "A" within itself via "B", "C"."#
      ),
      .init(
        """
        fragment A on Film { ...B ...C }
        fragment B on Film { ...A }
        fragment C on Film { ...A }
        """,
        #"1:22 2:22 Cannot spread fragment "A" within itself via "B"."#,
        #"1:27 3:22 Cannot spread fragment "A" within itself via "C"."#
      ),
      .init(
        """
        fragment A on Film { ...B }
        fragment B on Film { ...C }
        fragment C on Film { ...D }
        fragment D on Film { ...E }
        fragment E on Film { ...A }
        """,
        #"1:22 2:22 3:22 4:22 5:22 Cannot spread fragment "A" within itself via "B", "C", "D", "E"."#
      ),
      .init(
        """
        fragment A on Film { ...B }
        fragment B on Film { ...C }
        fragment C on Film { ...A ...B }
        """,
        #"1:22 2:22 3:22 Cannot spread fragment "A" within itself via "B", "C"."#,
        #"2:22 3:27 Cannot spread fragment "B" within itself via "C"."#
      ),
      .init(
        """
        fragment A on Film { ...B }
        fragment B on Film { ...B }
        """,
        #"2:22 Cannot spread fragment "B" within itself."#
      ),
      .init(
        """
        fragment A on Film { ...B }
        fragment B on Film { ...C ...D }
        fragment C on Film { ...E }
        fragment D on Film { ...E }
        fragment E on Film { ...A }
        """,
        #"1:22 2:22 3:22 5:22 Cannot spread fragment "A" within itself via "B", "C", "E"."#
      ),
    ]
  )
}
