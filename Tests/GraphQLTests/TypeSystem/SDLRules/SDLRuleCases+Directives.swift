@testable import GraphQL

extension SDLRuleCases {
  static let knownDirectives = SDLRuleCases(
    .knownDirectives,
    [
      .init("directive @on on OBJECT type A @on { a: Int @deprecated }"),
      .init("type B @a { a: Int }", extending: "directive @a on OBJECT"),
      .init("extend type A @a directive @a on OBJECT | FIELD_DEFINITION"),
      .init(
        """
        extend type A { b: Int @deprecated(reason: "x") } scalar D @specifiedBy(url: "u") input O @oneOf { a:
          Int }
        """,
        extending: "type A { a: Int }"
      ),
      .init("type A @deprecated { a: Int }", extending: "directive @deprecated on OBJECT"),
      .init(
        """
        type A @unknown { a: Int @also }
        extend enum E @unknown
        """,
        #"1:26 Unknown directive "@also"."#,
        #"1:8 Unknown directive "@unknown"."#,
        #"2:15 Unknown directive "@unknown"."#
      ),
      .init(
        """
        directive @o on OBJECT
        directive @s on SCHEMA
        schema @o { query: A }
        type A @s { a(b: Int @s): Int @s }
        interface B @s { b: Int }
        union C @s = A
        enum D @s { A @s }
        input E @s { e: Int @s }
        scalar F @s
        directive @d(x: Int @s) on FIELD
        extend schema @o
        """,
        #"10:21 Directive "@s" may not be used on ARGUMENT_DEFINITION."#,
        #"11:15 Directive "@o" may not be used on SCHEMA."#,
        #"3:8 Directive "@o" may not be used on SCHEMA."#,
        #"4:22 Directive "@s" may not be used on ARGUMENT_DEFINITION."#,
        #"4:31 Directive "@s" may not be used on FIELD_DEFINITION."#,
        #"4:8 Directive "@s" may not be used on OBJECT."#,
        #"5:13 Directive "@s" may not be used on INTERFACE."#,
        #"6:9 Directive "@s" may not be used on UNION."#,
        #"7:15 Directive "@s" may not be used on ENUM_VALUE."#,
        #"7:8 Directive "@s" may not be used on ENUM."#,
        #"8:21 Directive "@s" may not be used on INPUT_FIELD_DEFINITION."#,
        #"8:9 Directive "@s" may not be used on INPUT_OBJECT."#,
        #"9:10 Directive "@s" may not be used on SCALAR."#
      ),
      .init(
        """
        directive @s on SCHEMA
        extend type A @s { a: Int @s }
        extend interface B @s
        extend union C @s
        extend enum D @s { A @s }
        extend input E @s { e: Int @s }
        extend scalar F @s
        """,
        #"2:15 Directive "@s" may not be used on OBJECT."#,
        #"2:27 Directive "@s" may not be used on FIELD_DEFINITION."#,
        #"3:20 Directive "@s" may not be used on INTERFACE."#,
        #"4:16 Directive "@s" may not be used on UNION."#,
        #"5:15 Directive "@s" may not be used on ENUM."#,
        #"5:22 Directive "@s" may not be used on ENUM_VALUE."#,
        #"6:16 Directive "@s" may not be used on INPUT_OBJECT."#,
        #"6:28 Directive "@s" may not be used on INPUT_FIELD_DEFINITION."#,
        #"7:17 Directive "@s" may not be used on SCALAR."#
      ),
      .init(
        "type A @s { a: Int @t }",
        extending: "directive @s on SCHEMA",
        #"1:20 Unknown directive "@t"."#,
        #"1:8 Directive "@s" may not be used on OBJECT."#
      ),
    ]
  )

  static let uniqueDirectivesPerLocation = SDLRuleCases(
    .uniqueDirectivesPerLocation,
    [
      .init("directive @a on OBJECT directive @b repeatable on OBJECT | SCHEMA type A @a @b @b { a: Int }"),
      .init("directive @a on OBJECT type A @a { a: Int } type B @a { a: Int }"),
      .init(
        """
        directive @a on SCHEMA | OBJECT
        schema @a @a { query: A }
        extend schema @a
        type A @a @a { a: Int }
        extend type A @a
        """,
        #"2:8 2:11 The directive "@a" can only be used once at this location."#,
        #"2:8 3:15 The directive "@a" can only be used once at this location."#,
        #"4:8 4:11 The directive "@a" can only be used once at this location."#,
        #"4:8 5:15 The directive "@a" can only be used once at this location."#
      ),
      .init(
        """
        directive @a on SCALAR | INTERFACE | INPUT_OBJECT | UNION | ENUM
        scalar S @a @a
        interface I @a @a { a: Int }
        input N @a @a { a: Int }
        union U @a @a = A
        enum E @a @a { A }
        """,
        #"2:10 2:13 The directive "@a" can only be used once at this location."#,
        #"3:13 3:16 The directive "@a" can only be used once at this location."#,
        #"4:9 4:12 The directive "@a" can only be used once at this location."#,
        #"5:9 5:12 The directive "@a" can only be used once at this location."#,
        #"6:8 6:11 The directive "@a" can only be used once at this location."#
      ),
      .init(
        """
        directive @a on SCALAR | INTERFACE | INPUT_OBJECT | UNION | ENUM
        scalar S @a
        extend scalar S @a
        interface I @a { a: Int }
        extend interface I @a
        input N @a { a: Int }
        extend input N @a
        union U @a = A
        extend union U @a
        enum E @a { A }
        extend enum E @a
        """,
        #"10:8 11:15 The directive "@a" can only be used once at this location."#,
        #"2:10 3:17 The directive "@a" can only be used once at this location."#,
        #"4:13 5:20 The directive "@a" can only be used once at this location."#,
        #"6:9 7:16 The directive "@a" can only be used once at this location."#,
        #"8:9 9:16 The directive "@a" can only be used once at this location."#
      ),
      .init(
        """
        directive @a on FIELD_DEFINITION | ARGUMENT_DEFINITION | ENUM_VALUE | INPUT_FIELD_DEFINITION
        type A { a(x: Int @a @a): Int @a @a }
        enum E { A @a @a }
        input N { a: Int @a @a }
        """,
        #"2:19 2:22 The directive "@a" can only be used once at this location."#,
        #"2:31 2:34 The directive "@a" can only be used once at this location."#,
        #"3:12 3:15 The directive "@a" can only be used once at this location."#,
        #"4:18 4:21 The directive "@a" can only be used once at this location."#
      ),
      .init(
        """
        type A @a @a { a: Int }
        extend type A @a
        """,
        extending: "directive @a on OBJECT",
        #"1:8 1:11 The directive "@a" can only be used once at this location."#,
        #"1:8 2:15 The directive "@a" can only be used once at this location."#
      ),
      .init(
        """
        extend schema @a @a
        extend schema @a
        directive @a on SCHEMA
        """,
        #"1:15 1:18 The directive "@a" can only be used once at this location."#,
        #"1:15 2:15 The directive "@a" can only be used once at this location."#
      ),
      .init(
        #"type A { a: Int @deprecated @deprecated(reason: "x") }"#,
        #"1:17 1:29 The directive "@deprecated" can only be used once at this location."#
      ),
    ]
  )

  static let knownArgumentNamesOnDirectives = SDLRuleCases(
    .knownArgumentNamesOnDirectives,
    [
      .init("directive @a(x: Int) on OBJECT type A @a(x: 1) { a: Int }"),
      .init(#"type A @unknown(x: 1) { a: Int @deprecated(reason: "y") }"#),
      .init("type A @a(x: 1) { a: Int }", extending: "directive @a(x: Int) on OBJECT"),
      .init(
        """
        directive @a(x: Int) on OBJECT
        type A @a(unlike: 1) { a: Int }
        """,
        #"2:11 Unknown argument "unlike" on directive "@a"."#
      ),
      .init(
        """
        directive @a(count: Int) on OBJECT
        type A @a(cuont: 1, colour: 2) { a: Int }
        extend type A @a(coutn: 1)
        """,
        #"2:11 Unknown argument "cuont" on directive "@a". Did you mean "count"?"#,
        #"2:21 Unknown argument "colour" on directive "@a"."#,
        #"3:18 Unknown argument "coutn" on directive "@a". Did you mean "count"?"#
      ),
      .init(
        #"type A { a: Int @deprecated(reson: "x", since: 1) }"#,
        #"1:29 Unknown argument "reson" on directive "@deprecated". Did you mean "reason"?"#,
        #"1:41 Unknown argument "since" on directive "@deprecated"."#
      ),
      .init(
        "type A @a(unlike: 1) { a: Int }",
        extending: "directive @a(x: Int) on OBJECT",
        #"1:11 Unknown argument "unlike" on directive "@a"."#
      ),
      .init(
        #"extend type Shop @mark(txt: "a")"#,
        extending: shop,
        #"1:24 Unknown argument "txt" on directive "@mark". Did you mean "text"?"#
      ),
      .init(
        """
        directive @mark(other: Int) on OBJECT
        extend type Shop @mark(text: "a")
        """,
        extending: shop,
        #"2:24 Unknown argument "text" on directive "@mark"."#
      ),
      .init(
        """
        directive @deprecated(since: Int) on FIELD_DEFINITION
        type A { a: Int @deprecated(reason: "x") }
        """,
        #"2:29 Unknown argument "reason" on directive "@deprecated"."#
      ),
    ]
  )

  static let uniqueArgumentNames = SDLRuleCases(
    .uniqueArgumentNames,
    [
      .init(#"directive @a(x: Int, y: Int) on OBJECT type A @a(x: 1, y: 1) { a: Int @deprecated(reason: "x") }"#),
      .init(
        """
        directive @a(x: Int, y: Int) on OBJECT
        type A @a(x: 1, y: 1, x: 2) { a: Int @deprecated(reason: "x", reason: "y") }
        extend type A @a(y: 1, y: 2, y: 3)
        """,
        #"2:11 2:23 There can be only one argument named "x"."#,
        #"2:50 2:63 There can be only one argument named "reason"."#,
        #"3:18 3:24 3:30 There can be only one argument named "y"."#
      ),
    ]
  )

  static let uniqueInputFieldNames = SDLRuleCases(
    .uniqueInputFieldNames,
    [
      .init("input N { a: N = {a: {a: null}, b: 1} b: Int }"),
      .init(
        """
        input N { a: N = {a: {b: 1, b: 2}, a: null} b: Int }
        directive @d(x: N = {b: 1, b: 2, b: 3}) on OBJECT
        type A @d(x: {b: 1, b: 1}) { a(x: N = {b: 1, b: 1}): Int }
        """,
        #"1:19 1:36 There can be only one input field named "a"."#,
        #"1:23 1:29 There can be only one input field named "b"."#,
        #"2:22 2:28 There can be only one input field named "b"."#,
        #"2:22 2:34 There can be only one input field named "b"."#,
        #"3:15 3:21 There can be only one input field named "b"."#,
        #"3:40 3:46 There can be only one input field named "b"."#
      ),
    ]
  )

  static let providedRequiredArgumentsOnDirectives = SDLRuleCases(
    .providedRequiredArgumentsOnDirectives,
    [
      .init("directive @a(x: Int!) on OBJECT type A @a(x: 1) { a: Int }"),
      .init("directive @a(x: Int! = 1, y: Int) on OBJECT type A @a { a: Int }"),
      .init("type A @unknown { a: Int @deprecated }"),
      .init(
        """
        directive @a(x: Int!, y: [String!]!) on OBJECT
        type A @a { a: Int }
        extend type A @a(x: 1)
        """,
        #"2:8 Directive "@a" argument "x" of type "Int!" is required, but it was not provided."#,
        #"2:8 Directive "@a" argument "y" of type "[String!]!" is required, but it was not provided."#,
        #"3:15 Directive "@a" argument "y" of type "[String!]!" is required, but it was not provided."#
      ),
      .init(
        "scalar S @specifiedBy",
        #"1:10 Directive "@specifiedBy" argument "url" of type "String!" is required, but it was not provided."#
      ),
      .init(
        "type A @a { a: Int }",
        extending: "directive @a(x: Int!) on OBJECT",
        #"1:8 Directive "@a" argument "x" of type "Int!" is required, but it was not provided."#
      ),
      .init(
        """
        directive @need(x: Boolean!) on OBJECT
        extend type Shop @need
        """,
        extending: shop,
        #"2:18 Directive "@need" argument "x" of type "Boolean!" is required, but it was not provided."#
      ),
      .init(
        """
        directive @deprecated(since: Int!) on FIELD_DEFINITION
        type A { a: Int @deprecated }
        """,
        #"2:17 Directive "@deprecated" argument "since" of type "Int!" is required, but it was not provided."#
      ),
    ]
  )
}
