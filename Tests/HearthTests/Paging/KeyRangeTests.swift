import TestSupport
import Testing

@testable import Hearth

/// Rows that lie close together are read as a range of keys, and the others by their keys: see `Loader`. A client sees
/// no difference.
@Suite("Chores that are loaded together")
struct KeyRangeTests {
  private static let assigned = "{ family { children { assignedChores(first: 100) { nodes { id name priority } } } } }"

  struct Pattern: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The number of chores without assignees that are added after each chore of the child.
    let others: [Int]
    /// Whether a range is read, and whether keys are.
    let readsRange: Bool
    let readsKeys: Bool

    init(_ description: String, others: [Int], readsRange: Bool, readsKeys: Bool) {
      testDescription = description
      self.others = others
      self.readsRange = readsRange
      self.readsKeys = readsKeys
    }
  }

  @Test(arguments: [
    Pattern("nothing between them", others: Array(repeating: 0, count: 12), readsRange: true, readsKeys: false),
    Pattern("others between them", others: Array(repeating: 1, count: 12), readsRange: true, readsKeys: false),
    Pattern(
      "as many others as a range may have",
      others: [11, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      readsRange: true,
      readsKeys: false
    ),
    Pattern("one more", others: [12, 0, 0, 0, 0, 0, 0, 0, 0, 0], readsRange: true, readsKeys: true),
    Pattern("many others between them", others: Array(repeating: 9, count: 8), readsRange: true, readsKeys: true),
    Pattern("too few for a range", others: Array(repeating: 0, count: 7), readsRange: false, readsKeys: true),
  ])
  func `are the same as each alone`(_ pattern: Pattern) async throws {
    try await TestServer.run(configure: { $0.requestTimes = .signedIn }) { server in
      let family = try await Household(on: server)
      let stranger = try await Household(on: server, email: "grace@example.com")
      let child = try await family.addChild("Mia")
      var wanted: [String] = []
      for (number, others) in pattern.others.enumerated() {
        wanted.append(try await family.addChore("Wanted \(number)", priority: 1 + number % 3, for: [child]))
        for _ in 0..<others { _ = try await family.addChore("Other") }
        _ = try await stranger.addChore("Of another family")
      }
      let answer = try await family.parent.http.send(
        "POST",
        "/graphql",
        headers: [
          ("Content-Type", "application/json"), ("Authorization", "Bearer \(try #require(family.parent.token))"),
        ],
        body: Array(#"{"query":"\#(Self.assigned)","extensions":{"trace":true}}"#.utf8)
      )
      let found = answer.json["data.family.children.0.assignedChores.nodes"].list
      #expect(Set(found.map { $0["id"].string }) == Set(wanted))
      for chore in found {
        let id = try #require(chore["id"].string)
        let alone = try await family.parent.ask("{ node(id: \"\(id)\") { id ... on Chore { name priority } } }")
        #expect(alone["data.node"] == chore)
      }
      guard TestDatabase.configured == .sqlite else { return }
      let statements = answer.json["extensions.trace.statements"].list.compactMap { $0["statement"].string }
      let ofChores = statements.filter { $0.contains("SELECT c.id") && $0.contains("FROM chore") }
      #expect(ofChores.contains { $0.contains("BETWEEN") } == pattern.readsRange, "\(ofChores)")
      #expect(ofChores.contains { $0.contains("keys(") } == pattern.readsKeys, "\(ofChores)")
    }
  }
}
