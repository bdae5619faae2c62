@testable import GraphQL

extension RuleCases {
  static let uniqueVariableNames = RuleCases(
    .uniqueVariableNames,
    valid: [
      "query A($x: Int, $y: String) { film { id } } query B($x: String) { film { id } }"
    ],
    invalid: [
      .init("query A($x: Int, $x: Int) { film { id } }", #"1:10 1:19 There can be only one variable named "$x"."#),
      .init(
        """
        query A($x: Int, $x: String, $x: Int) { film { id } }
        query B($y: Int, $z: Int, $y: Int) { film { id } }
        """,
        #"1:10 1:19 1:31 There can be only one variable named "$x"."#,
        #"2:10 2:28 There can be only one variable named "$y"."#
      ),
    ]
  )

  static let noUndefinedVariables = RuleCases(
    .noUndefinedVariables,
    valid: [
      "query Q($a: Int, $b: Int) { book { quote(from: $a, to: $b) } }",
      "query Q($a: Int) { ... { ... on Query { results(first: $a) { __typename } } } }",
      """
      query Q($a: Int, $b: Int) { book { ...A } } fragment A on Book { quote(from: $a) ...B } fragment B on
        Book { x: quote(to: $b) }
      """,
      """
      query A($a: Int) { book { ...F } } query B($a: Int) { book { ...F } } fragment F on Book { quote(from:
        $a) }
      """,
      "query Q($a: Int) { book { ...F } } fragment F on Book { quote(from: $a) previous { ...F } }",
      "query Q($a: Boolean!) { film @skip(if: $a) { id } }",
    ],
    invalid: [
      .init("{ book { quote(from: $a) } }", #"1:22 1:1 Variable "$a" is not defined."#),
      .init(
        "query Q { book { quote(from: $a, to: $b) } }",
        #"1:30 1:1 Variable "$a" is not defined by operation "Q"."#,
        #"1:38 1:1 Variable "$b" is not defined by operation "Q"."#
      ),
      .init(
        "query Q($a: Int) { book { quote(from: $a, to: $b) } }",
        #"1:47 1:1 Variable "$b" is not defined by operation "Q"."#
      ),
      .init(
        "query Q($b: Int) { accepts(list: [$a, $b, $c], book: {title: $t}) }",
        #"1:35 1:1 Variable "$a" is not defined by operation "Q"."#,
        #"1:43 1:1 Variable "$c" is not defined by operation "Q"."#,
        #"1:62 1:1 Variable "$t" is not defined by operation "Q"."#
      ),
      .init(
        """
        { book { ...F } }
        fragment F on Book { quote(from: $a) }
        """,
        #"2:34 1:1 Variable "$a" is not defined."#
      ),
      .init(
        """
        query Q($a: Int) { book { ...A } }
        fragment A on Book { quote(from: $a) ...B }
        fragment B on Book { x: quote(to: $c) }
        """,
        #"3:35 1:1 Variable "$c" is not defined by operation "Q"."#
      ),
      .init(
        """
        query A { book { ...F } }
        query B { book { ...F } }
        fragment F on Book { quote(from: $a, to: $b) }
        """,
        #"3:34 1:1 Variable "$a" is not defined by operation "A"."#,
        #"3:42 1:1 Variable "$b" is not defined by operation "A"."#,
        #"3:34 2:1 Variable "$a" is not defined by operation "B"."#,
        #"3:42 2:1 Variable "$b" is not defined by operation "B"."#
      ),
      .init(
        """
        query A($b: Int) { book { ...F } }
        query B($a: Int) { book { ...F } }
        fragment F on Book { quote(from: $a, to: $b) }
        """,
        #"3:34 1:1 Variable "$a" is not defined by operation "A"."#,
        #"3:42 2:1 Variable "$b" is not defined by operation "B"."#
      ),
      .init(
        """
        query A($b: Int) { book { ...A } }
        query B($a: Int) { book { ...B } }
        fragment A on Book { quote(from: $a) }
        fragment B on Book { quote(to: $b) }
        """,
        #"3:34 1:1 Variable "$a" is not defined by operation "A"."#,
        #"4:32 2:1 Variable "$b" is not defined by operation "B"."#
      ),
      .init(
        """
        query A($b: Int) { book { ...A ...C } }
        query B($a: Int) { book { ...B ...C } }
        fragment A on Book { quote(from: $a, to: $c) ...C }
        fragment B on Book { quote(to: $b) ...C }
        fragment C on Book { x: quote(from: $b, to: $c) }
        """,
        #"3:34 1:1 Variable "$a" is not defined by operation "A"."#,
        #"3:42 1:1 Variable "$c" is not defined by operation "A"."#,
        #"5:45 1:1 Variable "$c" is not defined by operation "A"."#,
        #"4:32 2:1 Variable "$b" is not defined by operation "B"."#,
        #"5:37 2:1 Variable "$b" is not defined by operation "B"."#,
        #"5:45 2:1 Variable "$c" is not defined by operation "B"."#
      ),
      .init("query Q { film @include(if: $x) { id } }", #"1:29 1:1 Variable "$x" is not defined by operation "Q"."#),
    ]
  )

  static let noUnusedVariables = RuleCases(
    .noUnusedVariables,
    valid: [
      "query ($a: Int, $b: Int) { book { quote(from: $a, to: $b) } }",
      "query Q($a: Int) { book { ...F } } fragment F on Book { quote(from: $a) }",
      """
      query A($a: Int) { book { ...F } } query B($a: Int) { book { ...F } } fragment F on Book { quote(from:
        $a) }
      """,
      "query Q($a: Int) { book { ...F } } fragment F on Book { previous { ...F } quote(from: $a) }",
      "query ($a: Boolean!) { film @skip(if: $a) { id } }",
      "query ($t: String!) { accepts(book: {title: $t}) }",
    ],
    invalid: [
      .init("query ($a: Int) { film { id } }", #"1:8 Variable "$a" is never used."#),
      .init(
        "query Q($a: Int, $b: Int, $c: Int) { book { quote(from: $b) } }",
        #"1:9 Variable "$a" is never used in operation "Q"."#,
        #"1:27 Variable "$c" is never used in operation "Q"."#
      ),
      .init(
        """
        query Q($a: Int) { book { ...F } }
        fragment F on Book { pages }
        """,
        #"1:9 Variable "$a" is never used in operation "Q"."#
      ),
      .init(
        """
        query Q($b: Int) { book { ...F } }
        fragment F on Book { quote(from: $a) }
        fragment G on Book { quote(from: $b) }
        """,
        #"1:9 Variable "$b" is never used in operation "Q"."#
      ),
      .init(
        """
        query A($b: Int) { book { ...A } }
        query B($a: Int) { book { ...B } }
        fragment A on Book { quote(from: $a) }
        fragment B on Book { quote(from: $b) }
        """,
        #"1:9 Variable "$b" is never used in operation "A"."#,
        #"2:9 Variable "$a" is never used in operation "B"."#
      ),
      .init(
        """
        query Q($a: Int, $b: Int, $c: Int) { book { ...A } }
        fragment A on Book { quote(from: $a) ...B }
        fragment B on Book { x: quote(to: $b) }
        """,
        #"1:27 Variable "$c" is never used in operation "Q"."#
      ),
    ]
  )

  static let variablesInAllowedPosition = RuleCases(
    .variablesInAllowedPosition,
    valid: [
      """
      query ($a: Int, $b: Boolean, $c: [String], $d: Key, $e: BookInput) { accepts(int: $a, boolean: $b,
        names: $c, key: $d, book: $e) }
      """,
      "query ($a: Int!, $c: [String!]!) { accepts(int: $a, names: $c, exact: $c) }",
      #"query ($a: Int = 1) { needs(one: $a, two: "") }"#,
      "query ($a: Int) { prefers(one: $a) }",
      "query ($a: Boolean!) { film @include(if: $a) { id } }",
      "query ($a: Boolean = false) { film @include(if: $a) { id } }",
      "query ($a: String!) { accepts(book: {title: $a}, exact: [$a], names: [$a]) }",
      "query ($a: ID!) { accepts(key: {id: $a}) }",
      // graphql-core 3.2.8 rejects it.
      #"query ($a: ID = "x") { accepts(key: {id: $a}) }"#,
      #"query Q($a: Int!) { ...F } fragment F on Query { needs(one: $a, two: "") }"#,
      "query ($a: Int = null) { accepts(int: $a, list: [$a]) }",
      "query ($a: Nothing) { accepts(int: $a) }",
      "query ($a: Int) { accepts(at: {x: $a}) }",
    ],
    invalid: [
      // graphql-core 3.2.8 reports it with another rule.
      .init(
        "query ($a: ID) { accepts(key: {id: $a}) }",
        #"1:8 1:36 Variable "$a" is of type "ID" but must be non-nullable to be used for OneOf Input "#
          + #"Object "Key"."#
      ),
      .init(
        "query ($a: ID = null) { accepts(key: {id: $a}) }",
        #"1:8 1:43 Variable "$a" is of type "ID" but must be non-nullable to be used for OneOf Input "#
          + #"Object "Key"."#
      ),
      .init(
        "query ($a: Int) { accepts(key: {id: $a}) }",
        #"1:8 1:37 Variable "$a" of type "Int" used in position expecting type "ID"."#,
        #"1:8 1:37 Variable "$a" is of type "Int" but must be non-nullable to be used for OneOf Input "#
          + #"Object "Key"."#
      ),
      .init(
        "query ($a: Int = 1) { accepts(key: {id: $a}) }",
        #"1:8 1:41 Variable "$a" of type "Int" used in position expecting type "ID"."#
      ),
      .init(
        #"query ($a: Int) { needs(one: $a, two: "") }"#,
        #"1:8 1:30 Variable "$a" of type "Int" used in position expecting type "Int!"."#
      ),
      .init(
        #"query ($a: Int = null) { needs(one: $a, two: "") }"#,
        #"1:8 1:37 Variable "$a" of type "Int" used in position expecting type "Int!"."#
      ),
      .init(
        """
        query Q($a: Int) { ...F }
        fragment F on Query { needs(one: $a, two: "") }
        """,
        #"1:9 2:34 Variable "$a" of type "Int" used in position expecting type "Int!"."#
      ),
      .init(
        """
        query Q($a: Int) { ...A }
        fragment A on Query { ...B }
        fragment B on Query { needs(one: $a, two: "") }
        """,
        #"1:9 3:34 Variable "$a" of type "Int" used in position expecting type "Int!"."#
      ),
      .init(
        "query ($a: String) { accepts(boolean: $a) }",
        #"1:8 1:39 Variable "$a" of type "String" used in position expecting type "Boolean"."#
      ),
      .init(
        "query ($a: String) { accepts(names: $a) }",
        #"1:8 1:37 Variable "$a" of type "String" used in position expecting type "[String]"."#
      ),
      .init(
        "query ($a: [String]) { accepts(exact: $a) }",
        #"1:8 1:39 Variable "$a" of type "[String]" used in position expecting type "[String!]"."#
      ),
      .init(
        "query ($a: [Int]) { accepts(int: $a) }",
        #"1:8 1:34 Variable "$a" of type "[Int]" used in position expecting type "Int"."#
      ),
      .init(
        "query ($a: Boolean) { film @include(if: $a) { id } }",
        #"1:8 1:41 Variable "$a" of type "Boolean" used in position expecting type "Boolean!"."#
      ),
      .init(
        "query ($a: String) { film @skip(if: $a) { id } }",
        #"1:8 1:37 Variable "$a" of type "String" used in position expecting type "Boolean!"."#
      ),
      .init(
        "query ($a: String) { accepts(book: {title: $a}) }",
        #"1:8 1:44 Variable "$a" of type "String" used in position expecting type "String!"."#
      ),
      .init(
        "query ($a: String) { accepts(exact: [$a]) }",
        #"1:8 1:38 Variable "$a" of type "String" used in position expecting type "String!"."#
      ),
      .init(
        "query ($a: String!) { accepts(key: {id: $a}) }",
        #"1:8 1:41 Variable "$a" of type "String!" used in position expecting type "ID"."#
      ),
      .init(
        """
        query A($a: Int) { ...F }
        query B($a: String) { ...F }
        fragment F on Query { needs(one: $a, two: $a) }
        """,
        #"1:9 3:34 Variable "$a" of type "Int" used in position expecting type "Int!"."#,
        #"1:9 3:43 Variable "$a" of type "Int" used in position expecting type "String!"."#,
        #"2:9 3:34 Variable "$a" of type "String" used in position expecting type "Int!"."#,
        #"2:9 3:43 Variable "$a" of type "String" used in position expecting type "String!"."#
      ),
      .init(
        "query ($a: [[Int]]) { accepts(matrix: $a) }",
        #"1:8 1:39 Variable "$a" of type "[[Int]]" used in position expecting type "[[Int!]]"."#
      ),
      .init(
        "query ($a: Moment, $b: Language) { accepts(language: $a, at: $b) }",
        #"1:8 1:54 Variable "$a" of type "Moment" used in position expecting type "Language"."#,
        #"1:20 1:62 Variable "$b" of type "Language" used in position expecting type "Moment"."#
      ),
      .init(
        "query ($a: Int, $b: String) { needs(one: $a, two: $b, three: $b) }",
        #"1:8 1:42 Variable "$a" of type "Int" used in position expecting type "Int!"."#,
        #"1:17 1:51 Variable "$b" of type "String" used in position expecting type "String!"."#,
        #"1:17 1:62 Variable "$b" of type "String" used in position expecting type "Int"."#
      ),
    ]
  )
}
