import Assets
import GraphQL
import Testing

@testable import Hearth

@Suite("The schema and what resolves it fit, or the server does not start")
struct SchemaBindingTests {
  private static let sdl = String(decoding: Asset.schema.bytes, as: UTF8.self)

  @Test func `the schema that is delivered is bound`() throws {
    _ = try HearthSchema.executable(Self.sdl)
  }

  @Test func `every kind of object and of family event is named as its type`() throws {
    let schema = try SchemaCoordinates().schema
    for name in Kind.allCases.map(\.typeName) + FeedEvent.Kind.allCases.map(\.typeName) {
      #expect(schema.type(named: name).map { schema[$0].kind } == .object, "\(name)")
    }
  }

  struct Edit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let new: String
    /// Each must be in the message.
    let named: [String]
  }

  static let edits = [
    Edit(
      testDescription: "a field more",
      old: "type Image {",
      new: "type Image {\n  alt: String",
      named: ["Image.alt"]
    ),
    Edit(
      testDescription: "a root field more",
      old: "type Mutation {",
      new: "type Mutation {\n  x: Int",
      named: ["Mutation.x"]
    ),
    Edit(
      testDescription: "a field less",
      old: "  \"Number of items on all pages.\"\n  totalCount: Int!\n",
      new: "",
      named: [
        "ChoreConnection.totalCount", "ContractConnection.totalCount", "FinishedChoreConnection.totalCount",
      ]
    ),
    Edit(
      testDescription: "another name",
      old: "achievementPoints: Int!",
      new: "allPoints: Int!",
      named: [
        "Child.achievementPoints", "Child.allPoints",
      ]
    ),
    Edit(
      testDescription: "a number for a text",
      old: "  notes: String\n",
      new: "  notes: Int\n",
      named: ["Chore.notes"]
    ),
    Edit(
      testDescription: "a text for a number",
      old: "  priority: Int!",
      new: "  priority: String!",
      named: ["Chore.priority"]
    ),
    Edit(
      testDescription: "a list for one",
      old: "  contract: Contract\n",
      new: "  contract: [Contract]\n",
      named: ["Child.contract"]
    ),
    Edit(
      testDescription: "a leaf for an object",
      old: "  pageInfo: PageInfo!",
      new: "  pageInfo: String!",
      named: [
        "ChoreConnection.pageInfo"
      ]
    ),
    Edit(
      testDescription: "an enum's values in another order",
      old: "  OPEN\n  \"Done.\"\n  DONE",
      new: "  DONE\n  \"Done.\"\n  OPEN",
      named: ["Chore.status"]
    ),
    Edit(
      testDescription: "an enum's value more",
      old: "enum Theme {",
      new: "enum Theme {\n  NIGHT",
      named: ["Child.theme"]
    ),
    Edit(
      testDescription: "a type more",
      old: "type PageInfo {",
      new: "type Extra { x: Int }\ntype PageInfo {",
      named: ["Extra"]
    ),
    Edit(testDescription: "no SDL", old: "type PageInfo {", new: "type PageInfo [", named: ["Syntax Error"]),
  ]

  @Test(arguments: edits) func `an edit is rejected with its coordinate`(edit: Edit) throws {
    let edited = Self.sdl.replacing(edit.old, with: edit.new)
    #expect(edited != Self.sdl)
    let error = #expect(throws: SchemaError.self) { try HearthSchema.executable(edited) }
    let said = String(describing: try #require(error))
    for coordinate in edit.named { #expect(said.contains(coordinate), "\(said)") }
  }

  @Test func `all mismatches are reported at once`() throws {
    let edited = Self.sdl.replacing("type Image {", with: "type Image {\n  alt: String")
      .replacing("  notes: String\n", with: "  notes: Int\n")
    let error = #expect(throws: SchemaError.self) { try HearthSchema.executable(edited) }
    let said = String(describing: try #require(error))
    #expect(said.contains("Image.alt") && said.contains("Chore.notes"))
  }

  /// In introspection: fields without a description of their own inherit that of their interface.
  @Test func `every type, field, argument, enum value and input field has a description`() throws {
    let introspection = try Value(HearthSchema.introspection())["__schema"]
    var count = 0
    var bare: [String] = []
    func check(_ element: Value, _ coordinate: String) {
      count += 1
      if element["description"].string?.isEmpty ?? true { bare.append(coordinate) }
    }
    func check(_ elements: Value, in coordinate: String) {
      for element in elements.list { check(element, "\(coordinate)(\(element["name"].string ?? ""):)") }
    }
    check(introspection, "schema")
    for directive in introspection["directives"].list {
      let name = "@\(directive["name"].string ?? "")"
      check(directive, name)
      check(directive["args"], in: name)
    }
    for type in introspection["types"].list {
      let name = type["name"].string ?? ""
      check(type, name)
      for list in ["fields", "inputFields", "enumValues"] {
        for element in type[list].list {
          let coordinate = "\(name).\(element["name"].string ?? "")"
          // The specification's own introspection types are documented there.
          guard !name.hasPrefix("__") || element["description"].string != nil else { continue }
          check(element, coordinate)
          check(element["args"], in: coordinate)
        }
      }
    }
    #expect(bare == [])
    #expect(count > 1_000, "the introspection is incomplete")
  }
}
