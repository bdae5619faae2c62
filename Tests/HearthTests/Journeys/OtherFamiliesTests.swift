import Testing

@testable import Hearth

@Suite("What belongs to another family looks exactly like what does not exist")
struct OtherFamiliesTests {
  /// Ids of the right form that name nothing, and ids of no form at all.
  static let nothing = ["0000000000000", "fzzzzzzzzzzzz", "7kt3v5x0q9m2n", "", "nonsense", "0000000000000 ", "ﬀ"]

  private struct Foreign {
    let ids: [String]
    let child: String
    let chore: String
    let person: String
  }

  private func foreign(_ server: TestServer) async throws -> Foreign {
    let other = try await Household(on: server, email: "other@example.com", name: "Other Person")
    let child = try await other.addChild("Theirs")
    let chore = try await other.addChore("Their chore", for: [child])
    let contract = try await other.makeContract(with: child, levels: [(1, "Their award")])
    let finished = try await other.assign([(chore, 1)], to: child)["finishedChores.0.id"].string
    let item = try await other.addItem("Their item")
    let reminder = try await other.setReminder(of: chore, at: "2026-12-01T00:00:00Z")
    return Foreign(
      ids: [
        other.familyID, other.accountID, child, chore, contract, try #require(finished), item, reminder,
      ],
      child: child,
      chore: chore,
      person: other.personID
    )
  }

  @Test func `by its id`() async throws {
    try await TestServer.run { server in
      let foreign = try await foreign(server)
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let documents = [
        "query ($id: ID!) { node(id: $id) { __typename id ... on Member { name } ... on Chore { name } } }",
        "query ($id: ID!) { nodes(ids: [$id, $id]) { __typename id ... on Family { name } } }",
        "query ($id: ID!) { family { child(id: $id) { id name } } }",
      ]
      for client in [ada.parent, child] {
        for document in documents {
          var answers: Set<String> = []
          for id in foreign.ids + Self.nothing {
            let answer = try await client.post(document, ["id": .string(id)])
            #expect(answer.status == 200)
            answers.insert(answer.text)
          }
          #expect(answers.count == 1, "\(document): \(answers)")
          #expect(answers.first?.contains("errors") == false)
        }
      }
    }
  }

  @Test func `as arguments of a mutation`() async throws {
    try await TestServer.run { server in
      let foreign = try await foreign(server)
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let chore = try await ada.addChore()
      func answers(to document: String, _ input: (Value) -> Value) async throws -> Set<String> {
        var answers: Set<String> = []
        for id in foreign.ids + Self.nothing {
          answers.insert(try await ada.parent.post(document, ["input": input(.string(id))]).text)
        }
        return answers
      }
      func removals(by document: String) async throws -> Set<String> {
        var answers: Set<String> = []
        for id in foreign.ids + Self.nothing {
          answers.insert(try await ada.parent.post(document, ["id": .string(id)]).text)
        }
        return answers
      }
      let before = try await ada.everything()
      let seen = [
        try await answers(to: Documents.addChore) { ["name": "Feed the cat", "assigneeIds": [$0]] },
        try await answers(to: Documents.makeContract) { ["childId": $0, "maxPoints": 5, "levels": []] },
        try await answers(to: Documents.assignPoints) {
          ["childId": $0, "chores": [["choreId": .string(chore), "points": 1]]]
        },
        try await answers(to: Documents.assignPoints) {
          ["childId": .string(mia), "chores": [["choreId": $0, "points": 1]]]
        },
        try await answers(to: Documents.updateChild) { ["id": $0, "name": "Mine now"] },
        try await removals(by: Documents.removeChild),
        try await answers(to: Documents.updateChore) { ["id": $0, "name": "Mine now"] },
        try await answers(to: Documents.updateChore) { ["id": .string(chore), "assigneeIds": [$0]] },
        try await removals(by: Documents.removeChore),
        try await removals(by: Documents.endContract),
        try await answers(to: Documents.updateItem) { ["id": $0, "name": "Mine now"] },
        try await removals(by: Documents.removeItem),
        try await answers(to: Documents.setReminder) { ["choreId": $0, "remindAt": "2026-12-01T00:00:00Z"] },
        try await answers(to: Documents.answerReminder) { ["id": $0, "answer": "IGNORE"] },
        try await removals(by: Documents.removeReminder),
      ]
      for answers in seen {
        #expect(answers.count == 1, "\(answers)")
        #expect(answers.first?.contains("NOT_FOUND") == true)
      }
      #expect(try await ada.everything() == before)
    }
  }

  @Test func `own objects are found by their ids, in the requested order`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let foreign = try await foreign(server)
      let mia = try await ada.addChild("Mia")
      let chore = try await ada.addChore(for: [mia])
      let contract = try await ada.makeContract(with: mia)
      let finished = try await ada.assign([(chore, 1)], to: mia)["finishedChores.0.id"]
      let ids: [Value] = [
        finished, .string(foreign.child), .string(mia), .string(chore), "nonsense", .string(contract), .string(mia),
        .string(ada.familyID), .string(ada.accountID), .string(ada.personID),
      ]
      let answer = try await ada.parent.ask(
        "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }",
        ["ids": .array(ids)]
      )
      #expect(
        answer["data.nodes"].each("__typename") == [
          "FinishedChore", nil, "Child", "Chore", nil, "Contract", "Child", "Family", "Account", "Person",
        ]
      )
      for (id, node) in zip(ids, answer["data.nodes"].list) where node != .null { #expect(node["id"] == id) }
      let document = "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }"
      func many(_ count: Int) -> Value { ["ids": .array(Array(repeating: .string(mia), count: count))] }
      #expect(try await ada.parent.ask(document, many(100))["data.nodes"].list.count == 100)
      let rejected = try await ada.parent.post(document, many(101))
      #expect(rejected.codes == ["BAD_USER_INPUT"])
      #expect(rejected.json["errors.0.message"].string?.contains("at most 100") == true)
    }
  }
}
