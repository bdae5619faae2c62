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
  func `is printed`(text: String, coordinate: SchemaCoordinate) {
    #expect(coordinate.description == text)
  }
}
