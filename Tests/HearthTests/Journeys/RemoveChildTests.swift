import Testing

@testable import Hearth

@Suite("A child is removed")
struct RemoveChildTests {
  @Test func `it disappears from every list and by its id, and its siblings see that`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let ben = try await ada.addChild("Ben", username: "ben")
      let shared = try await ada.addChore("Walk the dog", for: [mia, ben, ada.personID])
      let alone = try await ada.addChore("Feed the cat", for: [mia])
      _ = try await ada.makeContract(with: mia)
      let outcome = try await ada.parent.perform(Documents.removeChild, ["id": .string(mia)])
      #expect(outcome.userErrors.isEmpty)
      #expect(outcome["removedId"] == .string(mia))
      let document = """
        query ($id: ID!) { node(id: $id) { id } nodes(ids: [$id]) { id } family { child(id: $id) { id }
          children { id } chores { nodes { id assignees { id } } } } }
        """
      for client in [ada.parent, try await ada.signIn("ben")] {
        let seen = try await client.ask(document, ["id": .string(mia)])
        #expect(
          seen["data"] == [
            "node": nil, "nodes": [nil],
            "family": [
              "child": nil, "children": [["id": .string(ben)]],
              "chores": [
                "nodes": [
                  ["id": .string(shared), "assignees": [["id": .string(ada.personID)], ["id": .string(ben)]]],
                  ["id": .string(alone), "assignees": []],
                ]
              ],
            ],
          ]
        )
      }
      let again = try await ada.parent.perform(Documents.removeChild, ["id": .string(mia)])
      #expect(again.userErrors == ["id NOT_FOUND"])
      #expect(again["removedId"] == .null)
    }
  }

  @Test func `nothing can be done with it any more`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let chore = try await ada.addChore()
      _ = try await ada.parent.perform(Documents.removeChild, ["id": .string(mia)])
      let before = try await ada.everything()
      let rejected: [(String, Value, String)] = [
        (Documents.updateChild, ["id": .string(mia), "name": "Ben"], "input.id NOT_FOUND"),
        (Documents.addChore, ["name": "Feed", "assigneeIds": [.string(mia)]], "input.assigneeIds.0 NOT_FOUND"),
        (Documents.makeContract, ["childId": .string(mia), "maxPoints": 5, "levels": []], "input.childId NOT_FOUND"),
        (Documents.assignPoints, Household.points([(chore, 1)], to: mia)["input"], "input.childId NOT_FOUND"),
      ]
      for (document, input, expected) in rejected {
        #expect(try await ada.parent.perform(document, ["input": input]).userErrors == [expected])
      }
      #expect(try await ada.everything() == before)
    }
  }

  @Test func `its completed chores still name it`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let chore = try await ada.addChore("Feed the cat", for: [mia])
      _ = try await ada.makeContract(with: mia)
      let finished = try await ada.assign([(chore, 2)], to: mia)["finishedChores.0.id"]
      server.clock.advance(seconds: 60)
      _ = try await ada.parent.perform(Documents.removeChild, ["id": .string(mia)])
      let node = try await ada.parent.ask(
        """
        query ($id: ID!) { node(id: $id) { ... on FinishedChore { points chore { name status }
          child { name removedAt achievementPoints contract { id } contracts { nodes { active points } } } } } }
        """,
        ["id": finished]
      )
      #expect(
        node["data.node"] == [
          "points": 2, "chore": ["name": "Feed the cat", "status": "DONE"],
          "child": [
            "name": "Mia", "removedAt": "2026-11-21T08:01:00Z", "achievementPoints": 2, "contract": nil,
            "contracts": ["nodes": [["active": false, "points": 2]]],
          ],
        ]
      )
    }
  }

  @Test func `its sessions end at once, it cannot sign in, and its username is free`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let answer = try await server.visitor.perform(
        Documents.signInChild,
        C5ChildSignInTests.input("mia", Household.password)
      )
      let app = server.visitor.with(token: answer["credentials.accessToken"].string)
      #expect(try await app.ask(Documents.whoAmI)["data.viewer.id"] == .string(mia))
      _ = try await ada.parent.perform(Documents.removeChild, ["id": .string(mia)])
      for client in [app, app.another, app.another] {
        #expect(try await client.post(C4ChildrenTests.list).codes == ["TOKEN_REVOKED"])
      }
      let refreshed = try await server.visitor.perform(
        Documents.refresh,
        ["token": answer["credentials.refreshToken"]]
      )
      #expect(refreshed.userErrors == ["refreshToken NOT_FOUND"])
      let signIn = try await server.visitor.perform(
        Documents.signInChild,
        C5ChildSignInTests.input("mia", Household.password)
      )
      #expect(signIn.userErrors == ["input WRONG_CREDENTIALS"])
      let another = try await ada.addChild("Mia", username: "mia")
      #expect(another != mia)
      #expect(try await ada.signIn("mia").ask(Documents.whoAmI)["data.viewer.id"] == .string(another))
    }
  }
}
