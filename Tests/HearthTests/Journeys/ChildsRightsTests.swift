import Testing

@testable import Hearth

@Suite("A child reads its family, and everything else is forbidden to it")
struct ChildsRightsTests {
  /// Every mutation that is a parent's alone, with an input of which the rest is good.
  static func mutations(child: String, chore: String) -> [(String, Value)] {
    [
      (Documents.addChild, ["name": "Ben", "birth": ["age": 3]]),
      (Documents.addChore, ["name": "Feed the dog"]),
      (Documents.makeContract, ["childId": .string(child), "maxPoints": 5, "levels": []]),
      (Documents.assignPoints, Household.points([(chore, 3)], to: child)["input"]),
      (Documents.updateAccount, ["name": "Grace Hopper"]),
      (Documents.updateFamily, ["name": "Hopper family"]),
      (Documents.updateChore, ["id": .string(chore), "status": "DONE"]),
      (Documents.preloadChores, ["frequency": "WEEKLY"]),
      (Documents.addItem, ["name": "Tent"]),
      (Documents.updateItem, ["id": .string(chore), "name": "Tent"]),
    ]
  }

  /// The same for those that take an id alone.
  static func removals(child: String, chore: String, contract: String) -> [(String, String)] {
    [
      (Documents.removeChild, child), (Documents.removeChore, chore), (Documents.endContract, contract),
      (Documents.removeItem, chore),
    ]
  }

  @Test func `it can change nothing`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let chore = try await ada.addChore(for: [mia])
      let contract = try await ada.makeContract(with: mia)
      let child = try await ada.signIn("mia")
      let before = try await ada.everything()
      for (document, input) in Self.mutations(child: mia, chore: chore) {
        let outcome = try await child.perform(document, ["input": input])
        #expect(outcome.codes == ["FORBIDDEN"])
        #expect(outcome.payload == .null)
      }
      for (document, id) in Self.removals(child: mia, chore: chore, contract: contract) {
        let outcome = try await child.perform(document, ["id": .string(id)])
        #expect(outcome.codes == ["FORBIDDEN"])
        #expect(outcome.payload == .null)
      }
      #expect(try await ada.everything() == before)
    }
  }

  @Test func `it sees what a parent sees of the family`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let ben = try await ada.addChild("Ben")
      let chore = try await ada.addChore(for: [mia, ben])
      _ = try await ada.makeContract(with: ben, levels: [(2, "Comic")])
      _ = try await ada.assign([(chore, 2)], to: ben)
      let child = try await ada.signIn("mia")
      let document = """
        query ($id: ID!) { family { id name parents { id name } children { id name points achievementPoints
          prizeLevel { level award } contract { id points } finishedChores { nodes { points chore { name } } } }
          child(id: $id) { name } chores { nodes { id assignees { id } } } } node(id: $id) { id } }
        """
      let seen = try await child.ask(document, ["id": .string(ben)])
      #expect(seen["errors"] == .null)
      #expect(seen["data.family.children.1.points"] == 2)
      #expect(try await ada.parent.ask(document, ["id": .string(ben)]) == seen)
    }
  }

  @Test func `a parent's account is its own: to others it does not exist`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let document = "query ($id: ID!) { node(id: $id) { __typename ... on Account { email } } }"
      #expect(
        try await child.ask(document, ["id": .string(ada.accountID)])
          == child.ask(document, ["id": "0000000000000"])
      )
      #expect(
        try await ada.parent.ask(document, ["id": .string(ada.accountID)])["data.node.email"] == "ada@example.com"
      )
    }
  }
}
