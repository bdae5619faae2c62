@testable import GraphQL

extension RuleCases {
  static let valuesOfCorrectType = RuleCases(
    .valuesOfCorrectType,
    valid: [
      // An error of `VariablesInAllowedPosition`, as in graphql-js 17; graphql-core reports it here.
      "query ($a: ID) { accepts(key: {id: $a}) }",
      #"{ accepts(int: 1, float: 1, string: "a", boolean: true, id: 1, language: LATIN) }"#,
      #"{ accepts(int: -7, float: 1.5e3, string: """a""", boolean: false, id: "a") }"#,
      """
      { accepts(int: null, float: null, string: null, boolean: null, id: null, language: null, list: null,
        book: null, key: null) }
      """,
      #"{ accepts(list: [1, null, 2], names: ["a"], exact: [], matrix: [[1], null, []]) }"#,
      #"{ accepts(list: 1, names: "a", matrix: 1) }"#,
      #"{ accepts(book: {title: "a", pages: 1, languages: [GERMAN, null], previous: {title: "b"}}) }"#,
      #"{ accepts(book: {title: "a", languages: GERMAN, notes: "a", copies: 2}) }"#,
      #"{ accepts(key: {id: 1}) person(key: {isbn: "a"}) { id } }"#,
      #"{ accepts(at: "today") }"#,
      """
      query ($a: Int = 1, $b: String! = "a", $c: [Int] = 1, $d: BookInput = {title: "a"}, $e: Key = {id: 1},
        $f: Language = LATIN) { film { id } }
      """,
      "query ($a: Int, $t: String!) { accepts(int: $a, list: [$a], book: {title: $t}) }",
      "{ film @include(if: true) @sized(width: 1, height: 2) { id } }",
      #"{ accepts(unknown: 1) unknown(int: "a") }"#,
      "{ prefers }",
    ],
    invalid: [
      .init("{ accepts(string: 1) }", "1:19 String cannot represent a non string value: 1"),
      .init("{ accepts(string: 1.0) }", "1:19 String cannot represent a non string value: 1.0"),
      .init("{ accepts(string: true) }", "1:19 String cannot represent a non string value: true"),
      .init("{ accepts(string: WORD) }", "1:19 String cannot represent a non string value: WORD"),
      .init(#"{ accepts(string: ["a"]) }"#, #"1:19 String cannot represent a non string value: ["a"]"#),
      .init("{ accepts(string: {a: 1}) }", "1:19 String cannot represent a non string value: {a: 1}"),
      .init(#"{ accepts(int: "3") }"#, #"1:16 Int cannot represent non-integer value: "3""#),
      .init("{ accepts(int: 3000000000) }", "1:16 Int cannot represent non 32-bit signed integer value: 3000000000"),
      .init(
        "{ accepts(int: 829384293849283498239482938) }",
        "1:16 Int cannot represent non 32-bit signed integer value: 829384293849283498239482938"
      ),
      .init("{ accepts(int: WORD) }", "1:16 Int cannot represent non-integer value: WORD"),
      .init("{ accepts(int: 3.0) }", "1:16 Int cannot represent non-integer value: 3.0"),
      .init("{ accepts(int: 3.333) }", "1:16 Int cannot represent non-integer value: 3.333"),
      .init("{ accepts(int: true) }", "1:16 Int cannot represent non-integer value: true"),
      .init("{ accepts(int: [1]) }", "1:16 Int cannot represent non-integer value: [1]"),
      .init(#"{ accepts(float: "3.3") }"#, #"1:18 Float cannot represent non numeric value: "3.3""#),
      .init("{ accepts(float: true) }", "1:18 Float cannot represent non numeric value: true"),
      .init("{ accepts(float: WORD) }", "1:18 Float cannot represent non numeric value: WORD"),
      .init("{ accepts(float: [1.5]) }", "1:18 Float cannot represent non numeric value: [1.5]"),
      .init("{ accepts(boolean: 2) }", "1:20 Boolean cannot represent a non boolean value: 2"),
      .init("{ accepts(boolean: 1.0) }", "1:20 Boolean cannot represent a non boolean value: 1.0"),
      .init(#"{ accepts(boolean: "true") }"#, #"1:20 Boolean cannot represent a non boolean value: "true""#),
      .init("{ accepts(boolean: TRUE) }", "1:20 Boolean cannot represent a non boolean value: TRUE"),
      .init("{ accepts(boolean: {}) }", "1:20 Boolean cannot represent a non boolean value: {}"),
      .init("{ accepts(id: 1.0) }", "1:15 ID cannot represent a non-string and non-integer value: 1.0"),
      .init("{ accepts(id: true) }", "1:15 ID cannot represent a non-string and non-integer value: true"),
      .init("{ accepts(id: WORD) }", "1:15 ID cannot represent a non-string and non-integer value: WORD"),
      .init("{ accepts(id: [1]) }", "1:15 ID cannot represent a non-string and non-integer value: [1]"),
      .init("{ accepts(language: 2) }", #"1:21 Enum "Language" cannot represent non-enum value: 2."#),
      .init("{ accepts(language: 1.0) }", #"1:21 Enum "Language" cannot represent non-enum value: 1.0."#),
      .init(
        #"{ accepts(language: "LATIN") }"#,
        #"1:21 Enum "Language" cannot represent non-enum value: "LATIN". Did you mean the enum value "LATIN"?"#
      ),
      .init(
        #"{ accepts(language: "FINNISH") }"#,
        #"1:21 Enum "Language" cannot represent non-enum value: "FINNISH"."#
      ),
      .init("{ accepts(language: true) }", #"1:21 Enum "Language" cannot represent non-enum value: true."#),
      .init("{ accepts(language: FINNISH) }", #"1:21 Value "FINNISH" does not exist in "Language" enum."#),
      .init(
        "{ accepts(language: latin) }",
        #"1:21 Value "latin" does not exist in "Language" enum. Did you mean the enum value "LATIN"?"#
      ),
      .init(
        "{ accepts(language: GERMEN) }",
        #"1:21 Value "GERMEN" does not exist in "Language" enum. Did you mean the enum value "GERMAN"?"#
      ),
      .init("{ accepts(language: {}) }", #"1:21 Enum "Language" cannot represent non-enum value: {}."#),
      .init(#"{ accepts(list: [1, "2"]) }"#, #"1:21 Int cannot represent non-integer value: "2""#),
      .init(#"{ accepts(list: "1") }"#, #"1:17 Int cannot represent non-integer value: "1""#),
      .init(
        #"{ accepts(exact: ["a", null, 2]) }"#,
        #"1:24 Expected value of type "String!", found null."#,
        "1:30 String cannot represent a non string value: 2"
      ),
      .init(#"{ accepts(names: [["a"]]) }"#, #"1:19 String cannot represent a non string value: ["a"]"#),
      .init(
        #"{ accepts(matrix: [[1, null], [2, "3"], 4]) }"#,
        #"1:24 Expected value of type "Int!", found null."#,
        #"1:35 Int cannot represent non-integer value: "3""#
      ),
      .init(
        #"{ needs(one: "1", two: 2) }"#,
        #"1:14 Int cannot represent non-integer value: "1""#,
        "1:24 String cannot represent a non string value: 2"
      ),
      .init(
        "{ needs(one: null, two: null) }",
        #"1:14 Expected value of type "Int!", found null."#,
        #"1:25 Expected value of type "String!", found null."#
      ),
      .init("{ prefers(one: null) }", #"1:16 Expected value of type "Int!", found null."#),
      .init(#"{ prefers(one: "one") }"#, #"1:16 Int cannot represent non-integer value: "one""#),
      .init(
        "{ accepts(book: {pages: 4}) }",
        #"1:17 Field "BookInput.title" of required type "String!" was not provided."#
      ),
      .init(
        #"{ accepts(book: {title: "a", languages: ["b", 2], notes: [null]}) }"#,
        #"1:42 Enum "Language" cannot represent non-enum value: "b"."#,
        #"1:47 Enum "Language" cannot represent non-enum value: 2."#,
        #"1:59 Expected value of type "String!", found null."#
      ),
      .init(#"{ accepts(book: {title: "a", copies: null}) }"#, #"1:38 Expected value of type "Int!", found null."#),
      .init(
        #"{ accepts(book: {title: "a", pags: 1, colour: RED}) }"#,
        #"1:30 Field "pags" is not defined by type "BookInput". Did you mean "pages"?"#,
        #"1:39 Field "colour" is not defined by type "BookInput"."#
      ),
      .init(#"{ accepts(book: "a") }"#, #"1:17 Expected value of type "BookInput", found "a"."#),
      .init("{ accepts(book: [1]) }", #"1:17 Expected value of type "BookInput", found [1]."#),
      .init(
        #"{ accepts(book: {title: "a", previous: {copies: 1}}) }"#,
        #"1:40 Field "BookInput.title" of required type "String!" was not provided."#
      ),
      .init("{ accepts(book: {title: null}) }", #"1:25 Expected value of type "String!", found null."#),
      .init("{ accepts(key: {}) }", #"1:16 OneOf Input Object "Key" must specify exactly one key."#),
      .init(
        #"{ accepts(key: {id: 1, isbn: "a"}) }"#,
        #"1:16 OneOf Input Object "Key" must specify exactly one key."#
      ),
      .init("{ accepts(key: {id: null}) }", #"1:16 Field "Key.id" must be non-null."#),
      .init(
        #"{ accepts(key: {id: null, isbn: "a"}) }"#,
        #"1:16 OneOf Input Object "Key" must specify exactly one key."#
      ),
      .init("{ accepts(key: {other: 1}) }", #"1:17 Field "other" is not defined by type "Key"."#),
      .init(
        "query ($a: ID!) { accepts(key: {id: $a, isbn: null}) }",
        #"1:32 OneOf Input Object "Key" must specify exactly one key."#
      ),
      .init("{ accepts(at: 5) }", #"1:15 Expected value of type "Moment", found 5."#),
      .init("{ accepts(at: {year: 5}) }", #"1:15 Expected value of type "Moment", found {year: 5}."#),
      .init(
        #"{ film @include(if: "yes") @sized(width: null, height: WORD) { id } }"#,
        #"1:21 Boolean cannot represent a non boolean value: "yes""#,
        #"1:42 Expected value of type "Int!", found null."#,
        "1:56 Int cannot represent non-integer value: WORD"
      ),
      .init("{ film @skip(if: ENUM) { id } }", "1:18 Boolean cannot represent a non boolean value: ENUM"),
      .init(
        """
        query ($a: Int = "one", $b: String = 4, $c: BookInput = "x", $d: [Int!]! = [null], $e: Language = 3,
          $f: Key = {}) { film { id } }
        """,
        #"1:18 Int cannot represent non-integer value: "one""#,
        "1:38 String cannot represent a non string value: 4",
        #"1:57 Expected value of type "BookInput", found "x"."#,
        #"1:77 Expected value of type "Int!", found null."#,
        #"1:99 Enum "Language" cannot represent non-enum value: 3."#,
        #"2:13 OneOf Input Object "Key" must specify exactly one key."#
      ),
      .init(
        "query ($a: Int! = null, $b: String! = null) { film { id } }",
        #"1:19 Expected value of type "Int!", found null."#,
        #"1:39 Expected value of type "String!", found null."#
      ),
      .init(
        #"query ($a: BookInput = {pages: 123}, $b: [String] = ["one", 2]) { film { id } }"#,
        #"1:24 Field "BookInput.title" of required type "String!" was not provided."#,
        "1:61 String cannot represent a non string value: 2"
      ),
      .init("query ($a: Moment = 7) { film { id } }", #"1:21 Expected value of type "Moment", found 7."#),
    ]
  )

  static let uniqueInputFieldNames = RuleCases(
    .uniqueInputFieldNames,
    valid: [
      #"{ accepts(book: {title: "a"}) b: accepts(book: {title: "a"}) }"#,
      #"{ accepts(book: {title: "a", previous: {title: "a"}}) }"#,
      #"{ accepts(book: {title: "a", pages: 1, copies: 1}) }"#,
      "{ accepts(at: [{a: 1}, {a: 1}]) }",
    ],
    invalid: [
      .init(
        #"{ accepts(book: {title: "a", title: "a"}) }"#,
        #"1:18 1:30 There can be only one input field named "title"."#
      ),
      .init(
        #"{ accepts(book: {title: "a", title: "b", title: "c"}) }"#,
        #"1:18 1:30 There can be only one input field named "title"."#,
        #"1:18 1:42 There can be only one input field named "title"."#
      ),
      .init(
        #"{ accepts(book: {title: "a", previous: {title: "a", title: "b"}}) }"#,
        #"1:41 1:53 There can be only one input field named "title"."#
      ),
      .init(
        "{ accepts(at: {a: {b: 1, b: 2}, a: 3}) }",
        #"1:20 1:26 There can be only one input field named "b"."#,
        #"1:16 1:33 There can be only one input field named "a"."#
      ),
      .init(
        #"query ($a: BookInput = {title: "a", title: "b"}) { film @tag(name: {x: 1, x: 2}) { id } }"#,
        #"1:25 1:37 There can be only one input field named "title"."#,
        #"1:69 1:75 There can be only one input field named "x"."#
      ),
    ]
  )
}
