import ClientGeneration
import Testing

@Suite("Warnings of deprecated elements")
struct DeprecatedUseTests {
  private static let schema = """
    type Query { me(old: Int @deprecated(reason: "Use `kind`."), by: Filter, kind: Kind): Person }
    type Person { id: ID! nick: String @deprecated(reason: "Use `name`.") name: String }
    enum Kind { CAT DOG @deprecated }
    input Filter { name: String old: Int @deprecated(reason: "Use `name`.") }
    """

  private func warnings(_ documents: String...) throws -> [String] {
    let named = documents.enumerated().map { (name: "\($0.offset).graphql", text: $0.element) }
    return try DeprecatedUses.warnings(of: named, schema: Self.schema)
  }

  @Test func `each use is named with its file, line and column, and the reason`() throws {
    let found = try warnings(
      "query Q {\n  me(old: 1, by: {old: 2}, kind: DOG) { ...Card }\n}",
      "# Shared\nfragment Card on Person {\n  nick\n  other: nick\n}"
    )
    #expect(
      found == [
        "0.graphql:2:6: warning: Field \"Query.me\" argument \"old\" is deprecated. Use `kind`.",
        "0.graphql:2:19: warning: The input field Filter.old is deprecated. Use `name`.",
        "0.graphql:2:34: warning: The enum value \"Kind.DOG\" is deprecated. No longer supported",
        "1.graphql:3:3: warning: The field Person.nick is deprecated. Use `name`.",
        "1.graphql:4:3: warning: The field Person.nick is deprecated. Use `name`.",
      ]
    )
  }

  @Test func `a fragment that is the same in several documents is warned of once`() throws {
    let fragment = "fragment Card on Person { nick }"
    let found = try warnings("query A { me { ...Card } } \(fragment)", "query B { me { ...Card } } \(fragment)")
    #expect(found == ["0.graphql:1:54: warning: The field Person.nick is deprecated. Use `name`."])
  }

  @Test func `their number is not limited`() throws {
    let fields = (0..<300).map { "a\($0): nick" }.joined(separator: " ")
    #expect(try warnings("query Q { me { \(fields) } }").count == 300)
  }

  @Test func `documents without deprecated elements have none, and an invalid document has errors`() throws {
    #expect(try warnings("query Q { me(by: {name: \"a\"}, kind: CAT) { id name } }") == [])
    #expect(throws: GenerationError.self) { try warnings("query Q { me { unknown nick } }") }
  }
}
