@testable import GraphQL

extension RuleCases {
  static let knownArgumentNames = RuleCases(
    .knownArgumentNames,
    valid: [
      "{ book(id: 1) { quote(from: 1, to: 2) } }",
      "{ film { unknown(a: 1) } }",
      "{ film @unknown(a: 1) { id } }",
      "{ film @sized(width: 1, height: 2) { id } }",
      "{ work { ... on Book { quote(to: 2) } title(language: GERMAN) } }",
      #"{ needs(three: 1, two: "", one: 1) }"#,
    ],
    invalid: [
      .init("{ film(id: 1) { id } }", #"1:8 Unknown argument "id" on field "Query.film"."#),
      .init(
        "{ book(idd: 1) { quote(frm: 1, colour: 2) } }",
        #"1:8 Unknown argument "idd" on field "Query.book". Did you mean "id"?"#,
        #"1:24 Unknown argument "frm" on field "Book.quote". Did you mean "from"?"#,
        #"1:32 Unknown argument "colour" on field "Book.quote"."#
      ),
      .init("{ film @skip(unless: true) { id } }", #"1:14 Unknown argument "unless" on directive "@skip"."#),
      .init("{ film @onField(if: true) { id } }", #"1:17 Unknown argument "if" on directive "@onField"."#),
      .init(
        "{ film @sized(widht: 1, hight: 1, colour: 2) { id } }",
        #"1:15 Unknown argument "widht" on directive "@sized". Did you mean "width" or "height"?"#,
        #"1:25 Unknown argument "hight" on directive "@sized". Did you mean "height" or "width"?"#,
        #"1:35 Unknown argument "colour" on directive "@sized"."#
      ),
      .init("{ book { isIn(lang: GERMAN) } }", #"1:15 Unknown argument "lang" on field "Book.isIn"."#),
      .init(
        "{ work { title(language: GERMAN, big: 1) ... on Book { quote(form: 1, too: 2) } } }",
        #"1:34 Unknown argument "big" on field "Work.title"."#,
        #"1:62 Unknown argument "form" on field "Book.quote". Did you mean "from"?"#,
        #"1:71 Unknown argument "too" on field "Book.quote". Did you mean "to"?"#
      ),
      .init(
        #"{ __type(nam: "x") { name(a: 1) } }"#,
        #"1:10 Unknown argument "nam" on field "Query.__type". Did you mean "name"?"#,
        #"1:27 Unknown argument "a" on field "__Type.name"."#
      ),
      .init(
        "{ accepts(flot: 1, intt: 1, boolan: 2) }",
        #"1:11 Unknown argument "flot" on field "Query.accepts". Did you mean "float"?"#,
        #"1:20 Unknown argument "intt" on field "Query.accepts". Did you mean "int"?"#,
        #"1:29 Unknown argument "boolan" on field "Query.accepts". Did you mean "boolean" or "book"?"#
      ),
      .init(
        "mutation { add(books: 1) { id } }",
        #"1:16 Unknown argument "books" on field "Mutation.add". Did you mean "book"?"#
      ),
      .init(
        "{ film @sized(width: 1, height: 1, oldd: 2) { id } }",
        #"1:36 Unknown argument "oldd" on directive "@sized". Did you mean "old"?"#
      ),
    ]
  )

  static let uniqueArgumentNames = RuleCases(
    .uniqueArgumentNames,
    valid: [
      "{ film { id } }",
      "{ book(id: 1) { id } }",
      "{ a: book(id: 1) { id } b: book(id: 1) { id } }",
      #"{ film @tag(name: "a") @sized(width: 1, height: 1) { id } }"#,
      "{ book { quote(from: 1, to: 1) } }",
      #"{ film @tag(name: "a") @tag(name: "a") { id } }"#,
    ],
    invalid: [
      .init("{ book(id: 1, id: 2) { id } }", #"1:8 1:15 There can be only one argument named "id"."#),
      .init(
        "{ book { quote(from: 1, to: 1, from: 2, from: 3) } }",
        #"1:16 1:32 1:41 There can be only one argument named "from"."#
      ),
      .init(
        #"{ film @tag(name: "a", name: "a") { id } }"#,
        #"1:13 1:24 There can be only one argument named "name"."#
      ),
      .init(
        "{ film @sized(width: 1, height: 1, width: 1, width: 1) { id } }",
        #"1:15 1:36 1:46 There can be only one argument named "width"."#
      ),
      .init(
        #"{ needs(one: 1, one: 1, two: "", two: "") }"#,
        #"1:9 1:17 There can be only one argument named "one"."#,
        #"1:25 1:34 There can be only one argument named "two"."#
      ),
    ]
  )

  static let providedRequiredArguments = RuleCases(
    .providedRequiredArguments,
    valid: [
      #"{ needs(one: 1, two: "") }"#,
      #"{ needs(two: "", one: 1, three: 1) }"#,
      "{ prefers }",
      "{ prefers(one: 2) }",
      "{ accepts }",
      "{ film { unknown } book @unknown { id } }",
      "{ film @sized(width: 1, height: 1) { id } ... @include(if: true) { book { id } } }",
      #"query ($a: Int!) { needs(one: $a, two: "") }"#,
      #"{ needs(one: null, two: "") }"#,
    ],
    invalid: [
      .init(
        "{ needs(one: 1) }",
        #"1:3 Field "needs" argument "two" of type "String!" is required, but it was not provided."#
      ),
      .init(
        "{ needs }",
        #"1:3 Field "needs" argument "one" of type "Int!" is required, but it was not provided."#,
        #"1:3 Field "needs" argument "two" of type "String!" is required, but it was not provided."#
      ),
      .init(
        #"{ needs(three: 1, one: "wrong") }"#,
        #"1:3 Field "needs" argument "two" of type "String!" is required, but it was not provided."#
      ),
      .init(
        "mutation { add { id } remove }",
        #"1:12 Field "add" argument "book" of type "BookInput!" is required, but it was not provided."#,
        #"1:23 Field "remove" argument "id" of type "ID!" is required, but it was not provided."#
      ),
      .init(
        "{ film @sized(width: 1) { id } book @sized { id } }",
        #"1:8 Directive "@sized" argument "height" of type "Int!" is required, but it was not provided."#,
        #"1:37 Directive "@sized" argument "width" of type "Int!" is required, but it was not provided."#,
        #"1:37 Directive "@sized" argument "height" of type "Int!" is required, but it was not provided."#
      ),
      .init(
        "{ film @include { id } ... @skip { book { id } } }",
        #"1:8 Directive "@include" argument "if" of type "Boolean!" is required, but it was not provided."#,
        #"1:28 Directive "@skip" argument "if" of type "Boolean!" is required, but it was not provided."#
      ),
      .init(
        "{ __type { name } }",
        #"1:3 Field "__type" argument "name" of type "String!" is required, but it was not provided."#
      ),
    ]
  )
}
