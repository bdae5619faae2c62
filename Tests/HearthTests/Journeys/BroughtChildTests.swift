import TestSupport
import Testing

@testable import Hearth
@testable import Storage

@Suite("A child that was removed before its parent joined another family", .timeLimit(.minutes(20)))
struct BroughtChildTests {
  /// Xenia's family, from which Nora and Olaf were removed. Gus, who is unrelated, has a child.
  private struct Story {
    let server: TestServer
    let xenia: Household
    let gus: Household
    let nora: String
    let contract: Value
    let entry: Value

    init(on server: TestServer) async throws {
      self.server = server
      gus = try await Household(on: server)
      _ = try await gus.addChild("Gabi", username: "gabi")
      xenia = try await Household("Xenia Old", on: server)
      nora = try await xenia.addChild("Nora", username: "nora")
      let profile: Value = ["id": .string(nora), "gender": "FEMALE", "theme": "OCEAN", "dateOfBirth": "2015-03-04"]
      let child = try await xenia.signIn("nora")
      let made = try await xenia.makeContract(with: nora, levels: [(2, "Ice cream")])
      contract = .string(made)
      let chore = try await xenia.addChore("Homework", for: [nora])
      let approval: Value = ["id": .string(chore), "points": 3]
      let redemption: Value = ["contractId": contract, "level": 1]
      let correction: Value = ["memberId": .string(nora), "points": -1, "reason": "Too late."]
      let settings: Value = ["quietHours": ["from": "22:00", "until": "07:30"]]
      let changes: [(client: Client, document: String, variables: Value)] = [
        (xenia.parent, Documents.updateChild, ["input": profile]),
        (child, Documents.finishChore, ["id": .string(chore)]),
        (xenia.parent, Documents.approveChore, ["input": approval]),
        (child, Documents.redeemReward, ["input": redemption]),
        (child, Documents.updateNotificationSettings, ["input": settings]),
      ]
      for change in changes {
        let outcome = try await change.client.perform(change.document, change.variables)
        try #require(outcome.userErrors == [], "\(outcome)")
      }
      entry = try await xenia.parent.perform(Documents.correctPoints, ["input": correction])["entry.id"]
      // Two, because usernames are unique.
      for removed in [nora, try await xenia.addChild("Olaf", username: "olaf")] {
        let outcome = try await xenia.parent.perform(Documents.removeChild, ["id": .string(removed)])
        try #require(outcome.userErrors == [], "\(outcome)")
      }
    }

    func exportErrors(by parent: Household) async throws -> [String] {
      try await parent.parent.perform(ExportTests.export, ["child": .string(nora)]).userErrors
    }

    func history(seenBy client: Client) async throws -> Value {
      let answer = try await client.ask(BroughtChildTests.history)
      try #require(answer["errors"] == .null, "\(answer)")
      return answer["data.family.chores.nodes"]
    }
  }

  private static let history = """
    { family { chores(first: 2) { nodes { name status approvedPoints finishedBy { __typename id name ... on Child {
      username dateOfBirth age gender theme locale avatar { placeholder } points achievementPoints
      contract { id } rewardLevel { level } contracts(first: 2) { nodes { levels { reward } } }
      finishedChores(first: 2) { nodes { points chore { name } } } pointEntries { totalCount } } } } } } }
    """

  /// What there is of Nora in the family that Xenia has joined.
  private static func brought(_ nora: String, pointEntries: Value) -> Value {
    let child: Value = [
      "__typename": "Child", "id": .string(nora), "name": "Nora", "username": "", "dateOfBirth": nil, "age": nil,
      "gender": "UNSPECIFIED", "theme": "SUNRISE", "locale": nil, "avatar": ["placeholder": true], "points": 0,
      "achievementPoints": 0, "contract": nil, "rewardLevel": nil, "contracts": ["nodes": []],
      "finishedChores": ["nodes": [["points": 3, "chore": ["name": "Homework"]]]], "pointEntries": pointEntries,
    ]
    return [["name": "Homework", "status": "DONE", "approvedPoints": 3, "finishedBy": child]]
  }

  @Test func `the other family sees its name and its finished chores, and nothing else of it`() async throws {
    try await TestServer.run { server in
      let story = try await Story(on: server)
      // As long as it is the family's own, its data is too.
      let own = try await story.history(seenBy: story.xenia.parent)["0.finishedBy"]
      #expect(own["dateOfBirth"] == "2015-03-04" && own["achievementPoints"] == 2, "\(own)")
      #expect(own["contracts.nodes.0.levels"].each("reward") == ["Ice cream"])
      #expect(try await story.exportErrors(by: story.xenia) == [])

      try await story.gus.admit(story.xenia, on: server)
      let parents = Self.brought(story.nora, pointEntries: ["totalCount": 0])
      for client in [story.gus.parent, story.xenia.parent] {
        #expect(try await story.history(seenBy: client) == parents)
        let nodes = try await client.ask(
          "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }",
          ["ids": [story.contract, story.entry, .string(story.nora)]]
        )
        #expect(nodes["data.nodes"] == [nil, nil, nil])
      }
      let sibling = try await story.gus.signIn("gabi")
      #expect(try await story.history(seenBy: sibling) == Self.brought(story.nora, pointEntries: nil))
      for parent in [story.gus, story.xenia] {
        #expect(try await story.exportErrors(by: parent) == ["childId NOT_FOUND"])
      }

      // What Xenia has brought stays, and so does the little that it contains of Nora.
      let password: Value = ["password": .string(Household.password)]
      #expect(try await story.xenia.parent.perform(Documents.leaveFamily, password).userErrors == [])
      #expect(try await story.history(seenBy: story.gus.parent) == parents)
    }
  }

  @Test func `the rest of what the server had about it is deleted, and balances are still the sums of entries`()
    async throws
  {
    try await TestServer.run { server in
      let story = try await Story(on: server)
      let rest = """
        SELECT (SELECT count(*) FROM contract), (SELECT count(*) FROM reward_level),
          (SELECT count(*) FROM point_entry), (SELECT count(*) FROM notification WHERE recipient_id & 63 = 4),
          (SELECT count(*) FROM notification_setting)
        """
      let before = try server.rows(rest, columns: 5)
      #expect((before[0].min() ?? 0) > 0, "\(before)")
      try await story.gus.admit(story.xenia, on: server)
      #expect(try server.rows(rest, columns: 5) == [[0, 0, 0, 0, 0]])
      #expect(try PointLedgerCheck.faults(server.reader()) == [])
    }
  }
}
