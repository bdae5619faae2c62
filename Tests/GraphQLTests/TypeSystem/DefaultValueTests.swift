import Testing

@testable import GraphQL

/// Default values, coerced after those on which they depend (specification, section 3.10).
@Suite("Default values")
struct DefaultValueTests {
  @Test func `includes the default values of nested input objects in any order of definition`() throws {
    let schema = try SchemaBuilder.build(
      """
      type Query { find(filter: Filter = {page: {}}): Int }
      input Filter { page: Page! = {size: 5} words: [Word!] = [{}, {text: "b"}] state: State = OPEN }
      input Word { text: String = "a" weight: Float! = 1 page: Page }
      input Page { size: Int! = 10 order: Order! = {} }
      input Order { by: ID = 7 down: Boolean = false }
      enum State { OPEN }
      directive @d(filter: Filter! = {words: null}) on FIELD
      """
    )
    let order = InputValue.object([
      InputField(name: "by", value: .string("7")), InputField(name: "down", value: .boolean(false)),
    ])
    func page(_ size: Int64) -> InputValue {
      .object([InputField(name: "size", value: .int(size)), InputField(name: "order", value: order)])
    }
    func word(_ text: String) -> InputValue {
      .object([InputField(name: "text", value: .string(text)), InputField(name: "weight", value: .float(1))])
    }
    let query = schema[schema.queryType]
    let filter = try #require(query.field("find")?.arguments[0].defaultValue)
    #expect(filter["page"] == page(10))
    #expect(filter["words"] == .list([word("a"), word("b")]))
    #expect(filter["state"] == .enumeration("OPEN"))
    let directive = try #require(schema.directiveNames.index(of: "d").map { schema.directives[$0] })
    #expect(directive.arguments[0].defaultValue?["page"] == page(5))
    #expect(directive.arguments[0].defaultValue?["words"] == .null)
    // The types and the index used by validation have the same default values.
    let filterType = try #require(schema.type(named: "Filter"))
    #expect(schema[filterType].inputFields[0].defaultValue == page(5))
    #expect(schema.index.inputDefinitions.contains { $0.name == "filter" && $0.defaultValue == filter })
  }

  @Test func `follows long chains`() throws {
    var sdl = "type Query { q(a: I0 = {}): Int } input I40 { v: Int = 3 }"
    for depth in 0..<40 { sdl += " input I\(depth) { next: I\(depth + 1) = {} }" }
    let schema = try SchemaBuilder.build(sdl)
    var value = try #require(schema[schema.queryType].fields[0].arguments[0].defaultValue)
    for _ in 0..<40 { value = try #require(value["next"]) }
    #expect(value["v"] == .int(3))
  }
}
