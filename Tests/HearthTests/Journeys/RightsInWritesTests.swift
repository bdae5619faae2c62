import Testing

@testable import Hearth

@Suite("Rights are checked again in the write", .timeLimit(.minutes(10)))
struct RightsInWritesTests {
  @Test func `a member who has left in the meantime cannot affect others`() async throws {
    try await TestServer.run { server in
      let ada = try await Household("Ada Lovelace", on: server)
      let carole = try await Household("Carole Hendricks", on: server)
      let janna = try await Household("Janna Duran", on: server)
      let request = try await carole.request(ada)
      let group = try await janna.createGroup("Duncan Yo-Yo")
      let before = [try await carole.contactBook(), try await janna.contactBook()]
      let asked: [(String, Value)] = [
        (Documents.deactivate, D11DeactivateTests.password),
        (Documents.acceptContact, ["id": .string(request), "share": ["WORK"]]),
        (Documents.requestContact, ["id": .string(janna.personID), "offer": ["WORK"]]),
        (Documents.joinGroup, ["id": .string(group)]),
        (Documents.createGroup, ["input": ["name": "Of nobody"]]),
        (Documents.inviteContact, ["email": "nobody@example.com", "offer": []]),
        (Documents.addChild, ["input": ["name": "Mia", "birth": ["age": 8]]]),
        (Documents.addItem, ["input": ["name": "Tent"]]),
      ]
      let outcomes = try await server.atOnce(
        asked.map { document, variables in { try await ada.parent.another.perform(document, variables) } }
      )
      #expect(outcomes.first?["deactivated"] == true)
      #expect(outcomes.dropFirst().allSatisfy { $0.codes == ["TOKEN_REVOKED"] }, "\(outcomes)")
      // Carole's request was deleted with its recipient.
      let after = [try await carole.contactBook(), try await janna.contactBook()]
      #expect(after[0]["outgoing.totalCount"] == 0)
      #expect(after[0]["contacts"] == before[0]["contacts"])
      #expect(after[1] == before[1])
      #expect(try await janna.parent.ask(Documents.groupByID, ["id": .string(group)])["data.node.memberCount"] == 1)
      let found = try await janna.parent.ask(Documents.search, ["query": "nobody"])
      #expect(found["data.search.totalCount"] == 0)
    }
  }

  @Test func `who moves to another family leaves nothing in the old one, and is in one alone`() async throws {
    try await TestServer.run { server in
      let ada = try await Household("Ada Lovelace", on: server)
      let carole = try await Household("Carole Hendricks", on: server)
      let grace = try await Household("Grace Hopper", on: server)
      var tokens: [Value] = []
      for host in [ada, carole] {
        _ = try await host.parent.perform(Documents.inviteParent, ["email": .string(grace.email)])
        tokens.append(.string(try await server.mail(to: grace.email, about: "invites").token))
      }
      try await grace.verifyEmail(on: server)
      let asked: [(String, Value)] = [
        (Documents.acceptInvitation, ["token": tokens[0]]),
        (Documents.acceptInvitation, ["token": tokens[1]]),
        (Documents.addChild, ["input": ["name": "Mia", "birth": ["age": 8]]]),
        (Documents.addChore, ["input": ["name": "Feed the cat"]]),
      ]
      let outcomes = try await server.atOnce(
        asked.map { document, variables in { try await grace.parent.another.perform(document, variables) } }
      )
      #expect(outcomes[0]["family.id"] == .string(ada.familyID))
      #expect(outcomes.dropFirst().allSatisfy { $0.codes == ["RIGHTS_CHANGED"] }, "\(outcomes)")
      let apart = """
        SELECT (SELECT count(*) FROM session AS s JOIN person AS p ON p.id = s.member_id WHERE p.family_id <> s.family_id),
          (SELECT count(*) FROM child), (SELECT count(*) FROM chore)
        """
      #expect(try server.rows(apart, columns: 3) == [[0, 0, 0]])
      let family = try await carole.parent.ask("{ family { parents { name } } }")
      #expect(family["data.family.parents"].each("name") == ["Carole Hendricks"])
      // The rejected change can be made later.
      _ = try await grace.addChore()
      #expect(try await ada.parent.ask("{ family { chores { totalCount } } }")["data.family.chores.totalCount"] == 1)
    }
  }

  @Test func `a child that is removed meanwhile changes nothing more`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let outcomes = try await server.atOnce([
        { try await ada.parent.perform(Documents.removeChild, ["id": .string(mia)]) },
        { try await child.perform(Documents.updateChild, ["input": ["id": .string(mia), "name": "Somebody"]]) },
        { try await ada.parent.another.perform(Documents.removeChild, ["id": .string(mia)]) },
      ])
      #expect(outcomes[0]["removedId"] == .string(mia))
      #expect(outcomes[1].codes == ["TOKEN_REVOKED"])
      #expect(outcomes[2].userErrors == ["id NOT_FOUND"])
    }
  }

  @Test func `a password that changes during its verification signs nobody in`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let change = D11PasswordTests.change(Household.password, D11PasswordTests.fresh)
      let parent = A02SignInTests.input("ada@example.com", Household.password)
      let child = C5ChildSignInTests.input("mia", Household.password)
      let outcomes = try await server.atOnce([
        { try await ada.parent.perform(Documents.changePassword, change) },
        { try await server.visitor.perform(Documents.signIn, parent) },
        { try await server.visitor.perform(Documents.signInChild, child) },
      ])
      #expect(outcomes[0].userErrors.isEmpty)
      #expect(outcomes.dropFirst().allSatisfy { $0.userErrors == ["input WRONG_CREDENTIALS"] }, "\(outcomes)")
    }
  }

  @Test func `a parent's new password leaves a child alone that signs in with the other's`() async throws {
    try await TestServer.run { server in
      let ada = try await Household("Ada Lovelace", on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let grace = try await Household("Grace Hopper", on: server)
      let change = D11PasswordTests.change(Household.password, D11PasswordTests.fresh)
      #expect(try await grace.parent.perform(Documents.changePassword, change).userErrors.isEmpty)
      _ = try await ada.parent.perform(Documents.inviteParent, ["email": .string(grace.email)])
      let token = Value.string(try await server.mail(to: grace.email, about: "invites").token)
      try await grace.verifyEmail(on: server)
      #expect(try await grace.parent.perform(Documents.acceptInvitation, ["token": token]).userErrors.isEmpty)
      let child = C5ChildSignInTests.input("mia", D11PasswordTests.fresh)
      let outcomes = try await server.atOnce([
        {
          let other = D11PasswordTests.change(Household.password, "another password")
          return try await ada.parent.perform(Documents.changePassword, other)
        },
        { try await server.visitor.perform(Documents.signInChild, child) },
      ])
      #expect(outcomes.allSatisfy { $0.userErrors.isEmpty }, "\(outcomes)")
    }
  }
}
