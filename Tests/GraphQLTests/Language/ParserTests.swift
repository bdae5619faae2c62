import Testing

@testable import GraphQL

@Suite("Parser")
struct ParserTests {
  @Test(arguments: [
    (
      "{ a: b(c: $d) @e ... on F { g } ...h @i ... @j { k } }",
      """
      document
       operationDefinition
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
       operationDefinition
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
  func `creates the nodes of the grammar's productions`(text: String, expected: String) throws {
    let document = try Parser.parse(Source(text))
    #expect(outline(document) == expected)
    #expect(brokenInvariant(document) == nil)
  }

  @Test(arguments: ["kitchen-sink.graphql", "schema-kitchen-sink.graphql"])
  func `parses every production`(name: String) throws {
    let document = try Parser.parse(testDocument(name))
    #expect(brokenInvariant(document) == nil)
    #expect(document.nodes.count > 200)
  }

  @Test func `each node has the range of its text`() throws {
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
    ("$a", false, true), ("$a", true, false), ("[1, {a: $b}]", true, false), ("[1, {a: $b}]", false, true),
    ("1 2", true, false), ("", true, false), ("{a: 1}", true, true), ("null", true, true),
  ])
  func `parses a single value`(text: String, constant: Bool, good: Bool) {
    let error = failure { () throws(GraphQLError) in
      let document = try Parser.parseValue(Source(text), constant: constant)
      #expect(document[1].kind.isValue && document.text(1) == text)
    }
    #expect((error == nil) == good)
  }

  @Test(arguments: [("A", true), ("[A!]!", true), ("[[A]!]", true), ("[A", false), ("A!!", false), ("A B", false)])
  func `parses the type of a variable`(text: String, good: Bool) {
    let error = failure { () throws(GraphQLError) in
      let document = try Parser.parse(Source("query ($a: \(text)) { b }"))
      let type = document.type(of: 2)
      #expect(type.map { document.text($0) } == text)
      #expect(brokenInvariant(document) == nil)
    }
    #expect((error == nil) == good)
  }
}
