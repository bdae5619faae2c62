@testable import GraphQL

extension RuleCases {
  static let overlappingFieldsCanBeMerged = RuleCases(
    .overlappingFieldsCanBeMerged,
    valid: [
      "fragment F on Film { id minutes }",
      "fragment F on Film { id id }",
      "fragment F on Film { a: id a: id }",
      "fragment F on Book { quote(from: 1) quote(from: 1) }",
      "fragment F on Film { id @include(if: true) id @skip(if: true) }",
      "fragment F on Book { a: quote(from: 1) b: quote(from: 2) }",
      "fragment F on Film { id @onField id }",
      "fragment F on Item { ... on Film { isbn: minutes } ... on Film { isbn: minutes } }",
      "fragment F on Work { ... on Book { x: isbn } ... on Film { x: title } id }",
      "{ film { ...A } } fragment A on Film { ...A id }",
      "{ film { ...Missing id } }",
      #"fragment F on Book { accepts(book: {title: "a", pages: 1}) accepts(book: {title: "a", pages: 1}) }"#,
      "{ unknown { a: id } unknown { a: id } }",
      "{ work { ... on Unknown { a: id } a: id } }",
      "query ($a: Int) { book { quote(from: $a) quote(from: $a) } }",
      "{ results { ... on Book { previous { id } } ... on Person { other: friends { id } } } }",
      "{ work { ... on Book { creator { name } } ... on Film { creator { name } } } }",
      "{ a: film { id } ... { a: film { id } } }",
      "{ book { quote(from: 1, to: 2) quote(to: 2, from: 1) } }",
      "{ work { ... on Book { x: title } ... on Film { x: title(language: LATIN) } } }",
      #"{ accepts(book: {title: "a", pages: 1}) accepts(book: {pages: 1, title: "a"}) }"#,
      "{ person { works @stream { id } works @stream { title } } }",
      "{ person { works @stream(initialCount: 1, label: \"A\") { id } ...F } } "
        + "fragment F on Person { works @stream(label: \"A\", initialCount: 1) { title } }",
    ],
    invalid: [
      .init(
        "{ person { works @stream(initialCount: 1) { id } works @stream { id } } }",
        #"1:12 1:50 Fields "works" conflict because they have differing stream directives. Use different aliases on "#
          + "the fields to fetch both if this was intentional."
      ),
      .init(
        "{ person { works { id } ...F } } fragment F on Person { works @stream { id } }",
        #"1:12 1:57 Fields "works" conflict because they have differing stream directives. Use different aliases on "#
          + "the fields to fetch both if this was intentional."
      ),
      .init(
        "fragment F on Film { x: id x: minutes }",
        #"1:22 1:28 Fields "x" conflict because "id" and "minutes" are different fields. Use different "#
          + #"aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        """
        fragment F on Film { ...A ...B }
        fragment A on Film { x: id }
        fragment B on Film { x: minutes }
        """,
        #"2:22 3:22 Fields "x" conflict because "id" and "minutes" are different fields. Use different "#
          + #"aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        "fragment F on Film { minutes: id minutes }",
        #"1:22 1:34 Fields "minutes" conflict because "id" and "minutes" are different fields. Use different "#
          + #"aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        "fragment F on Book { quote quote(from: 1) }",
        #"1:22 1:28 Fields "quote" conflict because they have differing arguments. Use different aliases on "#
          + #"the fields to fetch both if this was intentional."#
      ),
      .init(
        "fragment F on Book { quote(from: 1) quote(from: 2) }",
        #"1:22 1:37 Fields "quote" conflict because they have differing arguments. Use different aliases on "#
          + #"the fields to fetch both if this was intentional."#
      ),
      .init(
        "fragment F on Book { quote(from: 1) quote(to: 1) }",
        #"1:22 1:37 Fields "quote" conflict because they have differing arguments. Use different aliases on "#
          + #"the fields to fetch both if this was intentional."#
      ),
      .init(
        "fragment F on Book { quote(from: 1) quote(from: 1, to: 2) }",
        #"1:22 1:37 Fields "quote" conflict because they have differing arguments. Use different aliases on "#
          + #"the fields to fetch both if this was intentional."#
      ),
      .init(
        "query ($a: Int, $b: Int) { book { quote(from: $a) quote(from: $b) } }",
        #"1:35 1:51 Fields "quote" conflict because they have differing arguments. Use different aliases on "#
          + #"the fields to fetch both if this was intentional."#
      ),
      .init(
        """
        { a: film { id }
        a: book { id } }
        """,
        #"1:3 2:1 Fields "a" conflict because "film" and "book" are different fields. Use different aliases "#
          + #"on the fields to fetch both if this was intentional."#
      ),
      .init(
        """
        { x: film { a: id }
        x: film { a: minutes } }
        """,
        #"1:3 1:13 2:1 2:11 Fields "x" conflict because subfields "a" conflict because "id" and "minutes" are "#
          + #"different fields. Use different aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        """
        { x: film { a: id b: id }
        x: film { a: minutes b: minutes } }
        """,
        #"1:3 1:13 1:19 2:1 2:11 2:22 Fields "x" conflict because subfields "a" conflict because "id" and "#
          + #""minutes" are different fields and subfields "b" conflict because "id" and "minutes" are different "#
          + #"fields. Use different aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        """
        { x: work { y: creator { z: id } }
        x: work { y: creator { z: name } } }
        """,
        #"1:3 1:13 1:26 2:1 2:11 2:24 Fields "x" conflict because subfields "y" conflict because subfields "#
          + #""z" conflict because "id" and "name" are different fields. Use different aliases on the fields to "#
          + #"fetch both if this was intentional."#
      ),
      .init(
        """
        { x: work { y: creator { z: id } y: creator { z: name } }
        x: work { y: creator { z: id } } }
        """,
        #"1:3 1:34 1:47 2:1 2:11 2:24 Fields "x" conflict because subfields "y" conflict because subfields "#
          + #""z" conflict because "name" and "id" are different fields. Use different aliases on the fields to "#
          + #"fetch both if this was intentional."#,
        #"1:13 1:26 1:34 1:47 Fields "y" conflict because subfields "z" conflict because "id" and "name" are "#
          + #"different fields. Use different aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        """
        { film { ...A } film { ...B } }
        fragment A on Film { x: id }
        fragment B on Film { x: minutes }
        """,
        #"1:3 2:22 1:17 3:22 Fields "film" conflict because subfields "x" conflict because "id" and "minutes" "#
          + #"are different fields. Use different aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        """
        { x: film { ...A }
        x: film { ...B } }
        fragment A on Film { a: id ...C }
        fragment B on Film { b: id ...D }
        fragment C on Film { c: id }
        fragment D on Film { c: minutes }
        """,
        #"1:3 5:22 2:1 6:22 Fields "x" conflict because subfields "c" conflict because "id" and "minutes" are "#
          + #"different fields. Use different aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        """
        { item { ...A ...B ...C } }
        fragment A on Film { x: id }
        fragment B on Film { x: minutes }
        fragment C on Film { x: title }
        """,
        #"2:22 3:22 Fields "x" conflict because "id" and "minutes" are different fields. Use different "#
          + #"aliases on the fields to fetch both if this was intentional."#,
        #"2:22 4:22 Fields "x" conflict because "id" and "title" are different fields. Use different aliases "#
          + #"on the fields to fetch both if this was intentional."#,
        #"3:22 4:22 Fields "x" conflict because "minutes" and "title" are different fields. Use different "#
          + #"aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        "{ work { ... on Book { isbn } ... on Film { isbn } } }",
        #"1:24 1:45 Fields "isbn" conflict because they return conflicting types "String" and "Int!". Use "#
          + #"different aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        "{ work { ... on Book { x: isSigned } ... on Film { x: minutes } } }",
        #"1:24 1:52 Fields "x" conflict because they return conflicting types "Boolean" and "Int!". Use "#
          + #"different aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        "{ work { ... on Book { editions { id } } ... on Film { editions { id } } } }",
        #"1:24 1:56 Fields "editions" conflict because they return conflicting types "[Book]" and "[Film!]". "#
          + #"Use different aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        "{ work { ... on Book { previous { id } } ... on Film { previous { id } } } }",
        #"1:24 1:56 Fields "previous" conflict because they return conflicting types "Book" and "[Film]". Use "#
          + #"different aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        "{ work { ... on Book { x: previous { y: pages } } ... on Film { x: creator { y: name } } } }",
        #"1:24 1:38 1:65 1:78 Fields "x" conflict because subfields "y" conflict because they return "#
          + #"conflicting types "Int" and "String!". Use different aliases on the fields to fetch both if this "#
          + #"was intentional."#
      ),
      .init(
        "{ work { ... on Book { x: pages } ... on Film { x: creator { id } } } }",
        #"1:24 1:49 Fields "x" conflict because they return conflicting types "Int" and "Person". Use "#
          + #"different aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        "{ work { ... on Book { x: pages } ... on Film { x: minutes } } }",
        #"1:24 1:49 Fields "x" conflict because they return conflicting types "Int" and "Int!". Use different "#
          + #"aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        "{ work { title ... on Film { title(language: LATIN) } } }",
        #"1:10 1:30 Fields "title" conflict because they have differing arguments. Use different aliases on "#
          + #"the fields to fetch both if this was intentional."#
      ),
      .init(
        """
        { book { x: quote(from: 1) ...F } }
        fragment F on Book { x: quote(from: 2) ...F }
        """,
        #"1:10 2:22 Fields "x" conflict because they have differing arguments. Use different aliases on the "#
          + #"fields to fetch both if this was intentional."#
      ),
      .init(
        "{ accepts(list: [1, 2]) accepts(list: [2, 1]) }",
        #"1:3 1:25 Fields "accepts" conflict because they have differing arguments. Use different aliases on "#
          + #"the fields to fetch both if this was intentional."#
      ),
      .init(
        #"{ accepts(book: {title: "e\u0301", pages: 1}) accepts(book: {title: "\u00e9", pages: 1}) }"#,
        #"1:3 1:47 Fields "accepts" conflict because they have differing arguments. Use different aliases on "#
          + #"the fields to fetch both if this was intentional."#
      ),
      .init(
        """
        { person { friends { x: id friends { x: id } } ...F } }
        fragment F on Person { friends { x: name friends { x: name } } }
        """,
        #"1:12 1:22 1:28 1:38 2:24 2:34 2:42 2:52 Fields "friends" conflict because subfields "x" conflict "#
          + #"because "id" and "name" are different fields and subfields "friends" conflict because subfields "x" "#
          + #"conflict because "id" and "name" are different fields. Use different aliases on the fields to fetch "#
          + #"both if this was intentional."#
      ),
      .init(
        "{ film { x: minutes ...F } } fragment F on Film { ...G } "
          + "fragment G on Film { ...H } fragment H on Film { x: id }",
        #"1:10 1:107 Fields "x" conflict because "minutes" and "id" are different fields. Use different "#
          + #"aliases on the fields to fetch both if this was intentional."#
      ),
      .init(
        "{ x: film { id } x: results { __typename } x: work { id } }",
        #"1:3 1:18 Fields "x" conflict because "film" and "results" are different fields. Use different "#
          + #"aliases on the fields to fetch both if this was intentional."#,
        #"1:3 1:44 Fields "x" conflict because "film" and "work" are different fields. Use different aliases "#
          + #"on the fields to fetch both if this was intentional."#,
        #"1:18 1:44 Fields "x" conflict because "results" and "work" are different fields. Use different "#
          + #"aliases on the fields to fetch both if this was intentional."#
      ),
    ]
  )
}
