import ClientGeneration
import Testing

/// Selections that `@skip` and `@include` can exclude, where others select the same field.
@Suite("Conditional selections")
struct ConditionalSelectionTests {
  private static let schema = """
    interface Node { id: ID! }
    type Child implements Node { id: ID! points: Int! name: String! family: Family! }
    type Chore implements Node { id: ID! name: String! assignee: Node! }
    type Family implements Node { id: ID! name: String! chief: Node! children: [Child!]! }
    type Query { family: Family! node: Node! child: Child! }
    """

  private func swift(_ document: String) throws -> [String: String] {
    let files = try SwiftGenerator.generate(schema: Self.schema, documents: [("Q.graphql", document)])
    return Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.text) })
  }

  private func typescript(_ document: String) throws -> String {
    try TypeScriptGenerator.generate(schema: Self.schema, documents: [("Q.graphql", document)])
  }

  /// The lines of a type, without those of the types in it.
  private func lines(of type: String, in text: String?) -> [Substring] {
    let lines = (text ?? "").split(separator: "\n")
    guard let start = lines.firstIndex(where: { $0.contains(" \(type): Decodable") }) else { return [] }
    let indentation = String(lines[start].prefix { $0 == " " }) + "  "
    let inner = lines[(start + 1)...].prefix { $0.hasPrefix(indentation) }.map { $0.dropFirst(indentation.count) }
    return inner.filter { $0.first != " " }
  }

  @Test(arguments: [
    "query Q($yes: Boolean!) { family @include(if: $yes) { name } ...Root } fragment Root on Query { family { id } }",
    """
    query Q($yes: Boolean!) { ... @include(if: $yes) { family { name } } ...A }
    fragment A on Query { ...Root } fragment Root on Query { family { id } }
    """,
    """
    query Q($yes: Boolean!) { ...Names @skip(if: $yes) ...Root }
    fragment Names on Query { family { name } } fragment Root on Query { family { id } }
    """,
  ])
  func `what only an excluded selection of an object has can be missing`(document: String) throws {
    let files = try swift(document)
    #expect(lines(of: "Family", in: files["QQuery.swift"]).contains("public let name: String?"))
    #expect(lines(of: "Family", in: files["Root.swift"]).contains("public let id: FamilyID"))
  }

  @Test func `a fragment's excluded object can come of the selection next to its spread`() throws {
    let document = """
      query Q($yes: Boolean!) { family { name } ...Root }
      fragment Root on Query { family @include(if: $yes) { id } }
      """
    let files = try swift(document)
    #expect(lines(of: "Family", in: files["QQuery.swift"]).contains("public let name: String"))
    #expect(lines(of: "Family", in: files["Root.swift"]).contains("public let id: FamilyID?"))
    let text = try typescript(document)
    #expect(text.contains("family: {\n    name: string;"))
    #expect(text.contains("family?: {\n    id?: ID<\"Family\">;"))
  }

  @Test func `an excluded object that comes of nothing else is complete`() throws {
    let files = try swift(
      """
      query Q($yes: Boolean!) {
        family @include(if: $yes) { name }
        node { ... on Chore { assignee @include(if: $yes) { id } } ...Chief }
      }
      fragment Chief on Node { ... on Family { assignee: chief { __typename } } }
      """
    )
    #expect(lines(of: "Family", in: files["QQuery.swift"]).contains("public let name: String"))
    #expect(lines(of: "Assignee", in: files["QQuery.swift"]).contains("public let id: NodeID"))
  }

  @Test func `objects that are merged deeper are too`() throws {
    let files = try swift(
      """
      query Q($yes: Boolean!) { child { family @include(if: $yes) { chief { ... on Child { points } } } } ...Root }
      fragment Root on Query { child { family { chief { id } } } }
      """
    )
    let text = try #require(files["QQuery.swift"])
    #expect(lines(of: "Family", in: text).contains("public let chief: Chief?"))
    #expect(text.contains("public let points: Int?"))
    // The case is that of the type name, which the other selection has to ask for.
    #expect(text.contains("fragment Root on Query { child { family { chief { __typename id } } } }"))
  }

  @Test(arguments: ["...Bits @include(if: $yes)", "... @skip(if: $yes) { ...Bits }"])
  func `a fragment that can be excluded has its fields for each type`(spread: String) throws {
    let document = "query Q($yes: Boolean!) { node { \(spread) } } fragment Bits on Node { id ... on Child { points } }"
    let files = try swift(document)
    let text = try #require(files["QQuery.swift"])
    #expect(lines(of: "Child", in: text).contains("public let points: Int?"))
    #expect(lines(of: "Child", in: text).contains("public let id: ChildID?"))
    #expect(lines(of: "Other", in: text).contains("public let id: NodeID?"))
    let member = "__typename: \"Child\";\n      id?: ID<\"Child\">;\n      points?: number;"
    let generated = try typescript(document)
    #expect(generated.contains(member), "\(generated.prefix(1000))")
  }

  @Test func `a fragment of an interface has no cases for an object of one type`() throws {
    let files = try swift(
      """
      query Q($yes: Boolean!) { child { ...Bits @include(if: $yes) } }
      fragment Bits on Node { id ... on Child { points } ... on Chore { name } }
      """
    )
    let text = try #require(files["QQuery.swift"])
    #expect(lines(of: "Child", in: text).contains("public let points: Int?"))
    #expect(!text.contains("enum Child"))
  }

  @Test func `a common field can be excluded in some cases only`() throws {
    let files = try swift(
      """
      query Q($yes: Boolean!) {
        node { id @include(if: $yes) ... on Child { id points } ... on Chore { id @skip(if: $yes) } }
      }
      """
    )
    let node = lines(of: "Node", in: files["QQuery.swift"])
    #expect(node.contains("public var id: NodeID? {"))
    let text = try #require(files["QQuery.swift"])
    #expect(text.contains("case .child(let object): NodeID(object.id)\n"))
    #expect(text.contains("case .chore(let object): object.id.map { NodeID($0) }\n"))
    #expect(text.contains("case .other(let object): object.id\n"))
  }

  @Test func `cases that select the id of a fragment again, by a condition, are not identifiable`() throws {
    let files = try swift(
      """
      query Q($yes: Boolean!) { node { ...N ... on Child { id @include(if: $yes) points } } }
      fragment N on Node { id }
      """
    )
    let text = try #require(files["QQuery.swift"])
    #expect(text.contains("enum Node: Decodable, Hashable, Sendable {"))
    #expect(lines(of: "Child", in: text).contains("public let id: ChildID?"))
    #expect(!lines(of: "Node", in: text).contains { $0.hasPrefix("public var id") })
  }
}
