import Testing

@testable import GraphQL

@Suite("SchemaCoordinate")
struct SchemaCoordinateTests {
  @Test(
    arguments: [
      ("Child", .type("Child")),
      ("Child.name", .member(type: "Child", name: "name")),
      ("Query.child(id:)", .argument(type: "Query", field: "child", name: "id")),
      ("@include", .directive("include")),
      ("@include(if:)", .directiveArgument(directive: "include", name: "if")),
    ] as [(String, SchemaCoordinate)]
  )
  func `is parsed and printed`(text: String, expected: SchemaCoordinate) throws {
    #expect(try SchemaCoordinate.parse(text) == expected)
    #expect(expected.description == text)
  }

  @Test(arguments: [
    ("", "Expected Name, found <EOF>.", 1, 1),
    ("\nA", "Invalid character: U+000A.", 1, 1),
    ("A .b", #"Invalid character: " "."#, 1, 2),
    ("A.b.c", #"Expected <EOF>, found "."."#, 1, 4),
    ("A.", "Expected Name, found <EOF>.", 1, 3),
    ("A(b:)", #"Expected <EOF>, found "("."#, 1, 2),
    ("A.b(c)", #"Expected ":", found ")"."#, 1, 6),
    ("A.b(c:d)", #"Expected ")", found Name "d"."#, 1, 7),
    ("A.b(c: d)", #"Invalid character: " "."#, 1, 7),
    ("@", "Expected Name, found <EOF>.", 1, 2),
    ("@a.b", #"Expected <EOF>, found "."."#, 1, 3),
    ("A...b", #"Expected Name, found "."."#, 1, 3),
    ("1", #"Invalid character: "1"."#, 1, 1),
    ("é", "Invalid character: U+00E9.", 1, 1),
  ])
  func `reports errors with their locations`(text: String, message: String, line: Int, column: Int) {
    let error = failure { () throws(GraphQLError) in try SchemaCoordinate.parse(text) }
    let location = SourceLocation(line: line, column: column)
    #expect(error == GraphQLError("Syntax Error: \(message)", at: [location], code: .parseFailed))
  }
}
