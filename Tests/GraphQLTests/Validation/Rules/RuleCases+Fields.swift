@testable import GraphQL

extension RuleCases {
  static let scalarLeafs = RuleCases(
    .scalarLeafs,
    valid: [
      "{ film { id minutes } }",
      "{ item { __typename } }",
      "{ book { isIn(language: GERMAN) } }",
      "{ film { title(language: GERMAN) } results { ... on Person { name } } }",
    ],
    invalid: [
      .init(
        "{ film }",
        #"1:3 Field "film" of type "Film" must have a selection of subfields. Did you mean "film { ... }"?"#
      ),
      .init(
        "{ work results item }",
        #"1:3 Field "work" of type "Work" must have a selection of subfields. Did you mean "work { ... }"?"#,
        #"1:8 Field "results" of type "[Result!]" must have a selection of subfields. Did you mean "results { "#
          + #"... }"?"#,
        #"1:16 Field "item" of type "Item" must have a selection of subfields. Did you mean "item { ... }"?"#
      ),
      .init(
        "{ film { cast } }",
        #"1:10 Field "cast" of type "[Person]" must have a selection of subfields. Did you mean "cast { ... "#
          + #"}"?"#
      ),
      .init(
        "{ loanable @onField }",
        #"1:3 Field "loanable" of type "Loanable" must have a selection of subfields. Did you mean "loanable "#
          + #"{ ... }"?"#
      ),
      .init(
        "{ film { minutes { seconds } } }",
        #"1:18 Field "minutes" must not have a selection since type "Int!" has no subfields."#
      ),
      .init(
        "{ book { due { year } } }",
        #"1:14 Field "due" must not have a selection since type "Moment" has no subfields."#
      ),
      .init(
        "{ book { title { x } title(language: GERMAN) { x } } }",
        #"1:16 Field "title" must not have a selection since type "String" has no subfields."#,
        #"1:46 Field "title" must not have a selection since type "String" has no subfields."#
      ),
      .init(
        "{ book { isIn(language: GERMAN) { x } } }",
        #"1:33 Field "isIn" must not have a selection since type "Boolean" has no subfields."#
      ),
      .init(
        "{ book { isSigned @onField { x } } }",
        #"1:28 Field "isSigned" must not have a selection since type "Boolean" has no subfields."#
      ),
      .init(
        "{ film { title(language: LATIN) @onField { x } } }",
        #"1:42 Field "title" must not have a selection since type "String" has no subfields."#
      ),
      .init(
        "{ accepts { x } }",
        #"1:11 Field "accepts" must not have a selection since type "String" has no subfields."#
      ),
      .init(
        "{ film { cast { id { x } } } }",
        #"1:20 Field "id" must not have a selection since type "ID!" has no subfields."#
      ),
    ]
  )

  static let fieldsOnCorrectType = RuleCases(
    .fieldsOnCorrectType,
    valid: [
      "fragment F on Film { __typename minutes }",
      "fragment F on Film { length: minutes }",
      "fragment F on Work { title }",
      "fragment F on Item { __typename ... on Film { minutes } ... on Book { pages } }",
      "fragment F on Nothing { anything }",
      "fragment F on Film { ... { minutes } }",
      #"{ __schema { types { name } } __type(name: "Film") { kind } }"#,
      "fragment F on Language { anything }",
    ],
    invalid: [
      .init("fragment F on Film { metres }", #"1:22 Cannot query field "metres" on type "Film"."#),
      .init(
        "fragment F on Film { nothing { nothing_else } }",
        #"1:22 Cannot query field "nothing" on type "Film". Did you mean "rating"?"#
      ),
      .init(
        "fragment F on Film { length: mintes }",
        #"1:22 Cannot query field "mintes" on type "Film". Did you mean "minutes"?"#
      ),
      .init(
        "fragment F on Film { castt { idd } }",
        #"1:22 Cannot query field "castt" on type "Film". Did you mean "cast"?"#
      ),
      .init("fragment F on Film { ... on Book { minutes } }", #"1:36 Cannot query field "minutes" on type "Book"."#),
      .init("fragment F on Film { ... on Film { unheard } }", #"1:36 Cannot query field "unheard" on type "Film"."#),
      .init("fragment F on Work { unheard }", #"1:22 Cannot query field "unheard" on type "Work"."#),
      .init(
        "fragment F on Work { pages }",
        #"1:22 Cannot query field "pages" on type "Work". Did you mean to use an inline fragment on "Book"?"#
      ),
      .init("fragment F on Item { name }", #"1:22 Cannot query field "name" on type "Item"."#),
      .init(
        "fragment F on Item { title }",
        #"1:22 Cannot query field "title" on type "Item". Did you mean to use an inline fragment on "Work", "#
          + #""Book", or "Film"?"#
      ),
      .init(
        "fragment F on Item { pages }",
        #"1:22 Cannot query field "pages" on type "Item". Did you mean to use an inline fragment on "Book"?"#
      ),
      .init(
        "fragment F on Entity { title creator }",
        #"1:24 Cannot query field "title" on type "Entity". Did you mean to use an inline fragment on "Work", "#
          + #""Book", or "Film"?"#,
        #"1:30 Cannot query field "creator" on type "Entity". Did you mean to use an inline fragment on "#
          + #""Work", "Book", or "Film"?"#
      ),
      .init(
        "fragment F on Entity { due isbn id }",
        #"1:24 Cannot query field "due" on type "Entity". Did you mean to use an inline fragment on "#
          + #""Loanable" or "Book"?"#,
        #"1:28 Cannot query field "isbn" on type "Entity". Did you mean to use an inline fragment on "Book" "#
          + #"or "Film"?"#
      ),
      .init("fragment F on Loanable { pags }", #"1:26 Cannot query field "pags" on type "Loanable"."#),
      .init(
        "fragment F on Book { page isSign prevous }",
        #"1:22 Cannot query field "page" on type "Book". Did you mean "pages"?"#,
        #"1:27 Cannot query field "isSign" on type "Book". Did you mean "isIn", "isSigned", or "isbn"?"#,
        #"1:34 Cannot query field "prevous" on type "Book". Did you mean "previous"?"#
      ),
      .init("{ wrk { id } }", #"1:3 Cannot query field "wrk" on type "Query". Did you mean "work"?"#),
      .init("{ film { __schema { types { name } } } }", #"1:10 Cannot query field "__schema" on type "Film"."#),
      .init(
        #"mutation { ad(book: {title: "t"}) { id } }"#,
        #"1:12 Cannot query field "ad" on type "Mutation". Did you mean "add"?"#
      ),
      .init(
        "fragment F on Person { nam frinds zzzzzz }",
        #"1:24 Cannot query field "nam" on type "Person". Did you mean "name"?"#,
        #"1:28 Cannot query field "frinds" on type "Person". Did you mean "friends"?"#,
        #"1:35 Cannot query field "zzzzzz" on type "Person"."#
      ),
    ]
  )
}
