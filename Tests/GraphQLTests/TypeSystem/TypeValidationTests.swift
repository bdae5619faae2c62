import Testing

@testable import GraphQL

/// The subsections "Type Validation" of section 3 of the specification: rejected schemas with every message, and
/// accepted schemas.
@Suite("Type validation")
struct TypeValidationTests {
  struct Case: CustomTestStringConvertible {
    let section: String
    let sdl: String
    let messages: [String]
    /// Whether a query type is added to the schema.
    var needsQuery = true

    init(_ section: String, _ sdl: String, _ messages: String..., needsQuery: Bool = true) {
      self.section = section
      self.sdl = sdl
      self.messages = messages
      self.needsQuery = needsQuery
    }

    var testDescription: String { "\(section): \(sdl)" }
  }

  @Test(arguments: TypeValidationCases.all)
  func `reports every error of a schema`(example: Case) {
    let sdl = example.needsQuery ? "type Query { q: Int } " + example.sdl : example.sdl
    var messages: [String] = []
    do {
      _ = try SchemaBuilder.build(sdl)
    } catch {
      messages = error.errors.map(\.message)
      #expect(error.errors.allSatisfy { $0.code == .schemaInvalid })
    }
    #expect(messages == example.messages, "\(sdl)")
  }

  @Test func `reports the location of each error`() {
    let error = #expect(throws: SchemaError.self) {
      try SchemaBuilder.build(
        """
        type Query implements Node {
          id(a: Query): ID
          __x: Int
        }
        interface Node { id: ID! }
        directive @d(__a: Int = "one") on FIELD
        """
      )
    }
    #expect(
      error?.description == """
        6:14: Name "__a" must not begin with "__", which is reserved by GraphQL introspection.
        2:6: The type of Query.id(a:) must be Input Type but got: Query.
        3:3: Name "__x" must not begin with "__", which is reserved by GraphQL introspection.
        5:18, 2:3: Interface field Node.id expects type ID! but Query.id is type ID.
        6:14: @d(__a:) has invalid default value: Int cannot represent non-integer value: "one"
        """
    )
  }

  @Test(arguments: ["type Query { a }", "type Query { a: Int } enum E { true }", "enum E { false null }", ""])
  func `rejects a document with a syntax error`(sdl: String) {
    let error = #expect(throws: SchemaError.self) { try SchemaBuilder.build(sdl) }
    #expect(error?.errors.map(\.code) == [.parseFailed])
  }

  @Test func `omits built-in scalars that are not referenced`() throws {
    let schema = try SchemaBuilder.build("type Query { a: ID } scalar Float directive @d(x: Int) on FIELD")
    let names = schema.types.map(\.name)
    #expect(names.prefix(1) == ["Query"])
    #expect(Set(names).intersection(BuiltInDefinitions.scalars) == ["ID", "Int", "String", "Boolean"])
    #expect(Set(names).isSuperset(of: BuiltInDefinitions.introspectionTypes))
  }

  @Test func `allows a schema to redefine a built-in directive`() throws {
    let schema = try SchemaBuilder.build(
      "directive @skip(unless: Boolean) on FIELD type Query { a: Int }"
    )
    #expect(schema.directives.map(\.name) == ["skip", "include", "deprecated", "specifiedBy", "oneOf"])
    #expect(schema.directives[0].arguments.map(\.name) == ["unless"])
  }
}
