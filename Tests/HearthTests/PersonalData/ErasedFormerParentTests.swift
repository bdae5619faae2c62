import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("A family keeps its things when a former parent is erased", .timeLimit(.minutes(10)))
struct ErasedFormerParentTests {
  private static let former: Value = "Former member"
  private static let deleteFormerParents = SQL<Void>("DELETE FROM former_parent")

  private static let history = """
    query ($entry: ID!) {
      family {
        chores { nodes { createdBy { name } } }
        items { nodes { createdBy { name } } }
        children {
          finishedChores { nodes { assignedBy { name } } }
          pointEntries { nodes { member { name } author { name } } } } }
      node(id: $entry) { ... on PointEntry { member { name } author { name } } } }
    """
  private static let personByID = """
    query ($id: ID!) { node(id: $id) { ... on Person {
      name firstName lastName memberSince dateOfBirth currentCity avatar { placeholder } contactInfo { id } } } }
    """

  /// What a parent did in a family.
  private struct Deeds {
    let leaver: Household
    /// A change of the leaver's own points, by another parent.
    let entry: String

    init(of leaver: Household, with other: Household, for child: String?) async throws {
      self.leaver = leaver
      let chore = try await leaver.addChore("Feed the cat")
      _ = try await leaver.addItem("Tent")
      if let child { #expect(try await leaver.assign([(chore, 2)], to: child).userErrors == []) }
      let input: Value = ["memberId": .string(leaver.personID), "points": 3, "reason": "The kitchen."]
      let corrected = try await other.parent.perform(Documents.correctPoints, ["input": input])
      entry = try #require(corrected["entry.id"].string, "\(corrected)")
    }

    /// Checks all references to the leaver that cannot be null.
    func expectNeutral(seenBy client: Client, isParent: Bool) async throws {
      let answer = try await client.ask(history, ["entry": .string(entry)])
      #expect(answer["errors"] == .null)
      let family = answer["data.family"]
      #expect(family["chores.nodes"].each("createdBy.name") == [former])
      #expect(family["items.nodes"].each("createdBy.name") == [former])
      // Children see only entries of their own.
      #expect(answer["data.node.member.name"] == (isParent ? former : .null))
    }

    /// Checks those that a child's points have.
    func expectNeutralPoints(seenBy client: Client) async throws {
      let children = try await client.ask(history, ["entry": .string(entry)])["data.family.children"]
      #expect(children["0.finishedChores.nodes"].each("assignedBy.name") == [former])
      #expect(children["0.pointEntries.nodes"].each("author.name") == [former])
      #expect(children["0.pointEntries.nodes"].each("member.name") == ["Mia"])
    }
  }

  /// Sessions that last as long as these stories do.
  private static func run(_ body: (TestServer) async throws -> Void) async throws {
    try await TestServer.run(configure: { $0.accessTokenLifetime = 365 * 86_400 }, body)
  }

  @Test func `they left the family before they deleted their account`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let stranger = try await Household("Browning Duncan", on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      try await ada.admit(grace, on: server)
      let deeds = try await Deeds(of: grace, with: ada, for: mia)
      let password: Value = ["password": .string(Household.password)]
      #expect(try await grace.parent.perform(Documents.leaveFamily, password).userErrors == [])
      #expect(try await grace.deleteAccount().userErrors == [])
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
      let child = try await ada.signIn("mia")
      try await deeds.expectNeutral(seenBy: ada.parent, isParent: true)
      try await deeds.expectNeutral(seenBy: child, isParent: false)
      for client in [ada.parent, child] { try await deeds.expectNeutralPoints(seenBy: client) }
      // Nothing else of them is left, and other families do not find them.
      let id: Value = ["id": .string(grace.personID)]
      let neutral: Value = [
        "name": Self.former, "firstName": Self.former, "lastName": nil, "memberSince": "2026-11-21T08:00:00Z",
        "dateOfBirth": nil, "currentCity": nil, "avatar": ["placeholder": true], "contactInfo": [],
      ]
      for client in [ada.parent, child] { #expect(try await client.ask(Self.personByID, id)["data.node"] == neutral) }
      #expect(try await stranger.parent.ask(Self.personByID, id)["data.node"] == .null)

      // Data of which an earlier version has deleted the row of the former parent.
      try await server.services.database.write { transaction in
        try transaction.run(Self.deleteFormerParents, ())
      }
      // The family's next write ends responses that are kept.
      #expect(try await ada.parent.perform(Documents.updateAccount, ["input": ["theme": "OCEAN"]]).userErrors == [])
      try await deeds.expectNeutral(seenBy: ada.parent, isParent: true)
      try await deeds.expectNeutral(seenBy: child, isParent: false)
      for client in [ada.parent, child] { try await deeds.expectNeutralPoints(seenBy: client) }
      for client in [ada.parent, child, stranger.parent] {
        #expect(try await client.ask(Self.personByID, id)["data.node"] == .null)
      }
    }
  }

  @Test func `their family became a part of another before they were erased`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let emily = try await Household("Emily Smith", on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await emily.admit(grace, on: server)
      let deeds = try await Deeds(of: grace, with: emily, for: nil)
      #expect(try await grace.deleteAccount().userErrors == [])
      try await ada.admit(emily, on: server)
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
      for client in [ada.parent, emily.parent] { try await deeds.expectNeutral(seenBy: client, isParent: true) }
      try await deeds.expectNeutral(seenBy: try await ada.signIn("mia"), isParent: false)
    }
  }
}
