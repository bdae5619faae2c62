import Testing

@testable import GraphQL

@Suite("Parser")
struct ParserTests {
  @Test(arguments: [
    (
      "{ a: b(c: $d) @e ... on F { g } ...h @i ... @j { k } }",
      """
      document
       operationDefinition shorthand
        selectionSet
         field b
          alias a
          argument c
           variable d
          directive e
         inlineFragment
          namedType F
          selectionSet
           field g
         fragmentSpread h
          directive i
         inlineFragment
          directive j
          selectionSet
           field k
      """
    ),
    (
      #""D" mutation M("v" $x: [A!]! = [1] @d, $y: B) @e(f: true) { g } subscription { h } query Q { i }"#,
      """
      document
       operationDefinition M mutation
        stringValue "D"
        variableDefinition x
         stringValue "v"
         nonNullType
          listType
           nonNullType
            namedType A
         listValue
          intValue 1
         directive d
        variableDefinition y
         namedType B
        directive e
         argument f
          booleanValue true
        selectionSet
         field g
       operationDefinition subscription
        selectionSet
         field h
       operationDefinition Q
        selectionSet
         field i
      """
    ),
    (
      #"{ a(i: -1, f: 2.5, s: "t\n", b: false, n: null, e: E, l: [1 [2]], o: {k: {}}, d: """b""", c: "") }"#,
      #"""
      document
       operationDefinition shorthand
        selectionSet
         field a
          argument i
           intValue -1
          argument f
           floatValue 2.5
          argument s
           stringValue needsDecoding "t\n"
          argument b
           booleanValue
          argument n
           nullValue null
          argument e
           enumValue E
          argument l
           listValue
            intValue 1
            listValue
             intValue 2
          argument o
           objectValue
            objectField k
             objectValue
          argument d
           stringValue block """b"""
          argument c
           stringValue ""
      """#
    ),
    (
      #""D" fragment A on B @c { d }"#,
      """
      document
       fragmentDefinition A
        stringValue "D"
        namedType B
        directive c
        selectionSet
         field d
      """
    ),
    (
      #""S" schema @a { query: Q mutation: M subscription: S } extend schema @b { query: R }"#,
      """
      document
       schemaDefinition
        stringValue "S"
        directive a
        rootOperationTypeDefinition
         namedType Q
        rootOperationTypeDefinition mutation
         namedType M
        rootOperationTypeDefinition subscription
         namedType S
       schemaExtension
        directive b
        rootOperationTypeDefinition
         namedType R
      """
    ),
    (
      #""T" type A implements & B & C @d { "F" e("G" f: [Int] = [1] @g): H! @i } extend interface J implements K"#,
      """
      document
       objectTypeDefinition A
        stringValue "T"
        namedType B
        namedType C
        directive d
        fieldDefinition e
         stringValue "F"
         inputValueDefinition f
          stringValue "G"
          listType
           namedType Int
          listValue
           intValue 1
          directive g
         nonNullType
          namedType H
         directive i
       interfaceTypeExtension J
        namedType K
      """
    ),
    (
      #"union U @a = | B | C  "E" enum E { "V" A @d B }  input I { "s" a: String = "x" @b } scalar S @c(d: 1)"#,
      """
      document
       unionTypeDefinition U
        directive a
        namedType B
        namedType C
       enumTypeDefinition E
        stringValue "E"
        enumValueDefinition A
         stringValue "V"
         directive d
        enumValueDefinition B
       inputObjectTypeDefinition I
        inputValueDefinition a
         stringValue "s"
         namedType String
         stringValue "x"
         directive b
       scalarTypeDefinition S
        directive c
         argument d
          intValue 1
      """
    ),
    (
      #""D" directive @a("b" c: Int) repeatable on | FIELD | ENUM_VALUE directive @d on QUERY"#,
      """
      document
       directiveDefinition a repeatable
        stringValue "D"
        inputValueDefinition c
         stringValue "b"
         namedType Int
        directiveLocation FIELD
        directiveLocation ENUM_VALUE
       directiveDefinition d
        directiveLocation QUERY
      """
    ),
  ])
  func `leaves the nodes that the grammar names`(text: String, expected: String) throws {
    let document = try Parser.parse(Source(text))
    #expect(outline(document) == expected)
    #expect(brokenInvariant(document) == nil)
  }

  @Test(arguments: ["kitchen-sink.graphql", "schema-kitchen-sink.graphql"])
  func `reads every production`(name: String) throws {
    let document = try Parser.parse(testDocument(name))
    #expect(brokenInvariant(document) == nil)
    #expect(document.nodes.count > 200)
  }

  @Test func `gives each node the text it covers`() throws {
    let document = try Parser.parse(Source(#"  "D" query Q ( $a : [ Int ! ] ! ) { x : y ( b : [ 1 ] ) } # end"#))
    let texts = document.nodes.indices.dropFirst().map { document.text($0) }
    #expect(
      texts == [
        #""D" query Q ( $a : [ Int ! ] ! ) { x : y ( b : [ 1 ] ) }"#, #""D""#, "$a : [ Int ! ] !", "[ Int ! ] !",
        "[ Int ! ]", "Int !", "Int", "{ x : y ( b : [ 1 ] ) }", "x : y ( b : [ 1 ] )", "x", "b : [ 1 ]", "[ 1 ]", "1",
      ]
    )
    #expect(document.location(1) == SourceLocation(line: 1, column: 3))
    #expect(document.responseKey(of: 9) == "x")
  }

  @Test func `finds descriptions, types and values by their role`() throws {
    let document = try Parser.parse(Source(#"input I { "d" a: [Int!] = "v" b: Int c: String = "w" }"#))
    let fields = Array(document.children(of: 1, .inputValueDefinition))
    #expect(fields.map { document.description(of: $0).map(document.text) } == [#""d""#, nil, nil])
    #expect(fields.map { document.type(of: $0).map(document.text) } == ["[Int!]", "Int", "String"])
    #expect(fields.map { document.value(of: $0).map(document.text) } == [#""v""#, nil, #""w""#])
  }

  @Test(arguments: [
    ("", #"Unexpected <EOF>."#, 1, 1),
    ("# only a comment", #"Unexpected <EOF>."#, 1, 17),
    ("{}", #"Expected Name, found "}"."#, 1, 2),
    ("{ a(", #"Expected Name, found <EOF>."#, 1, 5),
    ("{ a() }", #"Expected Name, found ")"."#, 1, 5),
    ("{ a(b) }", #"Expected ":", found ")"."#, 1, 6),
    ("{ a(b:) }", #"Unexpected ")"."#, 1, 7),
    ("{ a(b: c", #"Expected Name, found <EOF>."#, 1, 9),
    ("{ a(b: [1 }", #"Unexpected "}"."#, 1, 11),
    ("{ a(b: {c}) }", #"Expected ":", found "}"."#, 1, 10),
    ("{ a(b: $) }", #"Expected Name, found ")"."#, 1, 9),
    ("{ a: }", #"Expected Name, found "}"."#, 1, 6),
    ("{ a: b: c }", #"Expected Name, found ":"."#, 1, 7),
    ("{ a @ }", #"Expected Name, found "}"."#, 1, 7),
    ("{ ... on }", #"Expected Name, found "}"."#, 1, 10),
    ("{ ... }", #"Expected "{", found "}"."#, 1, 7),
    ("{ a } }", #"Unexpected "}"."#, 1, 7),
    ("{ a } 1.5", #"Unexpected Float "1.5"."#, 1, 7),
    ("query ($a) { b }", #"Expected ":", found ")"."#, 1, 10),
    ("query () { b }", #"Expected "$", found ")"."#, 1, 8),
    ("query ($a: ) { b }", #"Expected Name, found ")"."#, 1, 12),
    ("query ($a: [Int) { b }", #"Expected "]", found ")"."#, 1, 16),
    ("query ($a: Int!!) { b }", #"Expected "$", found "!"."#, 1, 16),
    ("query ($a: Int = $b) { c }", #"Unexpected variable "$b" in constant value."#, 1, 18),
    ("query ($a: Int = $) { c }", #"Unexpected "$"."#, 1, 18),
    ("query ($a: Int @b(c: $d)) { e }", #"Unexpected variable "$d" in constant value."#, 1, 22),
    ("query Q ", #"Expected "{", found <EOF>."#, 1, 9),
    ("fragment a", #"Expected "on", found <EOF>."#, 1, 11),
    ("fragment a($b: Int) on C { d }", #"Expected "on", found "("."#, 1, 11),
    (#""D" { a }"#, "Unexpected description, descriptions are not supported on shorthand queries.", 1, 1),
    (#""D" extend type A @b"#, "Unexpected description, only GraphQL definitions support descriptions.", 1, 1),
    (#""D" unknown"#, "Unexpected description, only GraphQL definitions support descriptions.", 1, 1),
    (#""D" "E" type A"#, #"Unexpected String "E"."#, 1, 5),
    ("extend", "Unexpected <EOF>.", 1, 7),
    ("extend query { a }", #"Unexpected Name "query"."#, 1, 8),
    ("extend type A {}", #"Expected Name, found "}"."#, 1, 16),
    ("extend directive @a on FIELD", #"Unexpected Name "directive"."#, 1, 8),
    ("schema { query: A", #"Expected Name, found <EOF>."#, 1, 18),
    ("schema", #"Expected "{", found <EOF>."#, 1, 7),
    ("schema { fragment: A }", #"Unexpected Name "fragment"."#, 1, 10),
    ("type A {}", #"Expected Name, found "}"."#, 1, 9),
    ("type A { b }", #"Expected ":", found "}"."#, 1, 12),
    ("type A { b(): C }", #"Expected Name, found ")"."#, 1, 12),
    ("type A implements {}", #"Expected Name, found "{"."#, 1, 19),
    ("type A implements B C { d: E }", #"Unexpected Name "C"."#, 1, 21),
    ("type A @b(c: $d)", #"Unexpected variable "$d" in constant value."#, 1, 14),
    ("union A =", "Expected Name, found <EOF>.", 1, 10),
    ("enum A {}", #"Expected Name, found "}"."#, 1, 9),
    ("input A { b(c: D): E }", #"Expected ":", found "("."#, 1, 12),
    ("directive a on FIELD", #"Expected "@", found Name "a"."#, 1, 11),
    ("directive @a FIELD", #"Expected "on", found Name "FIELD"."#, 1, 14),
    ("directive @a repeatable repeatable on FIELD", #"Expected "on", found Name "repeatable"."#, 1, 25),
    ("directive @a on field", #"Unexpected Name "field"."#, 1, 17),
    ("directive @a on FIELD |", "Expected Name, found <EOF>.", 1, 24),
    ("{ a(b: \"\"\"c\n d\"\"\" 1) }", "Expected Name, found Int \"1\".", 2, 7),
    (#"{ a "\u{41}\n" }"#, "Expected Name, found String \"A\n\".", 1, 5),
    ("{ a \"\"\"\n  b\n\"\"\" }", "Expected Name, found BlockString \"b\".", 1, 5),
  ])
  func `says what is wrong and where`(text: String, message: String, line: Int, column: Int) {
    let error = failure { () throws(GraphQLError) in try Parser.parse(Source(text)) }
    let location = SourceLocation(line: line, column: column)
    #expect(error == GraphQLError("Syntax Error: \(message)", at: [location], code: .parseFailed))
  }

  @Test func `does not repeat a long token in a message`() {
    let error = failure { () throws(GraphQLError) in
      try Parser.parse(Source("{ a \"\(String(repeating: "x", count: 10_000))\" }"))
    }
    #expect(error?.message == "Syntax Error: Expected Name, found String \"\(String(repeating: "x", count: 100))…\".")
  }

  @Test(arguments: [
    ("$a", false, true), ("$a", true, false), ("[1, {a: $b}]", true, false), ("[1, {a: $b}]", false, true),
    ("1 2", true, false), ("", true, false), ("{a: 1}", true, true), ("null", true, true),
  ])
  func `parses a value alone`(text: String, constant: Bool, good: Bool) {
    let error = failure { () throws(GraphQLError) in
      let document = try Parser.parseValue(Source(text), constant: constant)
      #expect(document[1].kind.isValue && document.text(1) == text)
    }
    #expect((error == nil) == good)
  }

  @Test(arguments: [("A", true), ("[A!]!", true), ("[[A]!]", true), ("[A", false), ("A!!", false), ("A B", false)])
  func `parses a type alone`(text: String, good: Bool) {
    let error = failure { () throws(GraphQLError) in
      let document = try Parser.parseType(Source(text))
      #expect(document[1].kind.isType && document.text(1) == text)
      #expect(brokenInvariant(document) == nil)
    }
    #expect((error == nil) == good)
  }
}
