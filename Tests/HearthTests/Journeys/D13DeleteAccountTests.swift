import Testing

@testable import Hearth

@Suite("D13: delete the account, and change one's mind")
struct D13DeleteAccountTests {
  @Test func `it takes the password or a fresh sign-in, and an adult`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      #expect(try await child.perform(Documents.deleteAccount).codes == ["FORBIDDEN"])
      #expect(try await server.visitor.perform(Documents.deleteAccount).codes == ["UNAUTHENTICATED"])
      #expect(try await ada.deleteAccount(password: "not it at all").userErrors == ["password WRONG_CREDENTIALS"])
      server.clock.advance(seconds: 601)
      let stale = try await ada.deleteAccount(password: nil)
      #expect(stale.userErrors == ["password BLANK"])
      #expect(stale["eraseAt"] == .null)
      // Nor is a session a proof that began while the clock was ahead.
      server.clock.advance(days: -1)
      #expect(try await ada.deleteAccount(password: nil).userErrors == ["password BLANK"])
      server.clock.advance(days: 1)
      let again = try await ada.signedInAgain(on: server)
      server.clock.advance(seconds: 600)
      let deleted = try await again.deleteAccount(password: nil)
      #expect(deleted.userErrors == [])
      #expect(deleted["eraseAt"] == "2026-12-21T08:20:01Z")
    }
  }

  @Test func `the account is deactivated, and a mail says until when it can return`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      _ = try await grace.signedInAgain(on: server).deleteAccount()
      #expect(try await ada.parents() == ["Ada Lovelace"])
      #expect(try await ada.news().first == "Grace Hopper left your family.")
      #expect(try await ada.search("Grace") == [])
      let input = A02SignInTests.input(grace.email, Household.password)
      let rejected = try await server.visitor.perform(Documents.signIn, input)
      #expect(rejected.userErrors == ["input DEACTIVATED"])
      #expect(rejected["userErrors.0.message"].string?.contains("until 2026-12-21") == true)
      let mail = try await server.mail(to: grace.email, about: "will be erased")
      #expect(mail.plain.contains("21 December 2026"))
    }
  }

  @Test func `within thirty days the account can return to its family`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      _ = try await grace.signedInAgain(on: server).deleteAccount()
      server.clock.advance(seconds: 30 * 86_400 - 1)
      var wrong: Value = ["email": .string(grace.email), "password": "not it at all", "reactivate": true]
      #expect(
        try await server.visitor.perform(Documents.signIn, ["input": wrong]).userErrors == ["input WRONG_CREDENTIALS"]
      )
      let returned = try await grace.reactivate(on: server)
      #expect(returned.userErrors == [])
      let adaAgain = try await ada.signedInAgain(on: server)
      #expect(try await adaAgain.parents() == ["Ada Lovelace", "Grace Hopper"])
      #expect(try await adaAgain.news().first == "Grace Hopper is now a parent of your family.")
      #expect(try await adaAgain.search("Grace") == ["Grace Hopper"])
      // The erasure is cancelled.
      server.clock.advance(days: 2)
      wrong = A02SignInTests.input(grace.email, Household.password)
      #expect(try await server.visitor.perform(Documents.signIn, wrong).userErrors == [])
      #expect(try server.rows("SELECT count(*) FROM person WHERE erase_at IS NOT NULL", columns: 1) == [[0]])
    }
  }

  @Test func `an only parent who returns finds children, sessions and repeating chores working`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let chore: Value = ["name": "Feed the cat", "frequency": "DAILY", "assigneeIds": Value([mia])]
      _ = try await ada.parent.perform(Documents.addChore, ["input": chore])
      let off = try await ada.parent.perform(Documents.deactivate, D11DeactivateTests.password)
      #expect(off["deactivated"] == true)
      server.clock.advance(days: 3)
      #expect(try await ada.reactivate(on: server).userErrors == [])
      _ = try await ada.signIn("mia")
      let again = try await ada.signedInAgain(on: server)
      try await server.rows("SELECT count(*) FROM chore WHERE status = 0", become: 1)
      let periods = try await again.parent.ask("{ family { chores(filter: { status: OPEN }) { nodes { period } } } }")
      #expect(periods["data.family.chores.nodes"].each("period") == ["2026-11-24"])
    }
  }

  @Test func `a deactivated account cannot return after thirty days`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.parent.perform(Documents.deactivate, D11DeactivateTests.password)
      server.clock.advance(days: 30)
      let late = try await ada.reactivate(on: server)
      #expect(late.userErrors == ["input DEACTIVATED"])
      #expect(late["userErrors.0.message"] == "This account was deactivated.")
    }
  }

  @Test func `after thirty days the address is free, and history has a neutral name`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      let active = try await grace.signedInAgain(on: server)
      let chore = try await active.addChore("Water the plants", for: [grace.personID])
      _ = try await active.parent.perform(Documents.finishChore, ["id": .string(chore)])
      _ = try await active.addItem("Tent")
      #expect(try await active.deleteAccount().userErrors == [])
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
      #expect(try await grace.reactivate(on: server).userErrors == ["input WRONG_CREDENTIALS"])
      let family = try await ada.signedInAgain(on: server).parent.ask(
        """
        { family { chores { nodes { name createdBy { name } finishedBy { name } assignees { name } } }
          items { nodes { name createdBy { name } } } } }
        """
      )
      #expect(
        family["data.family.chores.nodes"] == [
          [
            "name": "Water the plants", "createdBy": ["name": "Former member"], "finishedBy": ["name": "Former member"],
            "assignees": [],
          ]
        ]
      )
      #expect(family["data.family.items.nodes"] == [["name": "Tent", "createdBy": ["name": "Former member"]]])
      let newcomer = try await Household("Grace Hopper", on: server)
      #expect(newcomer.personID != grace.personID)
    }
  }

  @Test func `a group passes to its longest-standing member, or ends with its last`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let shared = try await grace.createGroup("Shared")
      try await ada.join(shared)
      let own = try await grace.createGroup("Own")
      _ = try await grace.deleteAccount()
      #expect(try await ada.group(shared)["viewerRole"] == "ADMIN")
      #expect(try await ada.group(own) == .null)
    }
  }

  // MARK: Children

  @Test func `a child is deleted by a parent, restored by another, and returns with its username`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      let other = try await grace.signedInAgain(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let ben = try await ada.addChild("Ben", username: "ben")
      let child = try await ada.signIn("mia")
      #expect(try await child.perform(Documents.deleteChild, ["id": .string(mia)]).codes == ["FORBIDDEN"])
      let eve = try await Household(on: server, email: "eve@example.com")
      #expect(try await eve.deleteChild(mia).userErrors == ["input.id NOT_FOUND"])
      #expect(try await ada.deleteChild(mia, password: "no").userErrors == ["input.password WRONG_CREDENTIALS"])
      let both = try await ada.deleteChild("nonsense", password: "no")
      #expect(both.userErrors == ["input.id NOT_FOUND", "input.password WRONG_CREDENTIALS"])
      let deleted = try await ada.deleteChild(mia)
      #expect(deleted.userErrors == [])
      #expect(deleted["child.eraseAt"] == "2026-12-21T08:00:00Z")
      #expect(try await ada.deleteChild(mia).userErrors == ["input.id NOT_FOUND"])
      #expect(try await child.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      for parent in [ada, grace] {
        // Names of children are sent to verified addresses only.
        let mail = try await server.mail(to: parent.email, about: "was deleted")
        #expect(mail.plain.contains("21 December 2026"))
      }
      let deletedChildren = "{ family { deletedChildren { name eraseAt } } }"
      let listed = try await other.parent.ask(deletedChildren)["data.family.deletedChildren"]
      #expect(listed == [["name": "Mia", "eraseAt": "2026-12-21T08:00:00Z"]])
      let sibling = try await ada.signIn("ben")
      #expect(try await sibling.ask(deletedChildren)["data.family.deletedChildren"] == [])
      #expect(try await sibling.perform(Documents.restoreChild, ["id": .string(mia)]).codes == ["FORBIDDEN"])
      for (parent, id) in [(eve, mia), (ada, ben)] {
        let outcome = try await parent.parent.perform(Documents.restoreChild, ["id": .string(id)])
        #expect(outcome.userErrors == ["id NOT_FOUND"])
      }
      let restored = try await other.parent.perform(Documents.restoreChild, ["id": .string(mia)])
      #expect(restored["child.username"] == "mia")
      #expect(restored["child.removedAt"] == .null && restored["child.eraseAt"] == .null)
      _ = try await ada.signIn("mia")
    }
  }

  @Test func `a restored child whose username was taken gets another`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      _ = try await ada.deleteChild(mia)
      _ = try await ada.addChild("Mia the Second", username: "mia")
      let restored = try await ada.parent.perform(Documents.restoreChild, ["id": .string(mia)])
      let username = try #require(restored["child.username"].string)
      #expect(username != "mia")
      _ = try await ada.signIn(username)
    }
  }

  @Test func `a child that was removed before it was deleted stays removed`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      #expect(try await ada.parent.perform(Documents.removeChild, ["id": .string(mia)]).userErrors == [])
      server.clock.advance(seconds: 60)
      #expect(try await ada.deleteChild(mia).userErrors == [])
      let listed = "{ family { children { id } deletedChildren { name } } }"
      #expect(try await ada.parent.ask(listed)["data.family.deletedChildren"] == [["name": "Mia"]])
      let restored = try await ada.parent.perform(Documents.restoreChild, ["id": .string(mia)])
      #expect(restored["child.removedAt"] == "2026-11-21T08:00:00Z" && restored["child.eraseAt"] == .null)
      #expect(try await ada.parent.ask(listed)["data.family"] == ["children": [], "deletedChildren": []])
    }
  }

  @Test func `a restored child has the points of its entries, with and without a contract`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let chore = try await ada.addChore("Feed the cat")
      for (name, points) in [("mia", 0), ("ben", 2)] {
        let child = try await ada.addChild(name, username: name)
        if points == 0 { _ = try await ada.makeContract(with: child) }
        _ = try await ada.assign([(chore, 2)], to: child)
        _ = try await ada.deleteChild(child)
        let restored = try await ada.parent.perform(Documents.restoreChild, ["id": .string(child)])
        // The points of a contract end with it.
        #expect(restored["child.points"].int == points)
      }
      #expect(try PointLedgerCheck.faults(server.reader()) == [])
    }
  }

  @Test func `an erased child leaves its points without its name`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let chore = try await ada.addChore("Feed the cat", for: [mia])
      _ = try await ada.assign([(chore, 3)], to: mia)
      _ = try await ada.deleteChild(mia)
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
      let again = try await ada.signedInAgain(on: server)
      #expect(
        try await again.parent.perform(Documents.restoreChild, ["id": .string(mia)]).userErrors == ["id NOT_FOUND"]
      )
      let answer = try await again.parent.ask(
        "{ family { deletedChildren { id } chores { nodes { name finishedBy { name } } } } }"
      )
      #expect(answer["data.family.deletedChildren"] == [])
      #expect(answer["data.family.chores.nodes.0.name"] == "Feed the cat")
      #expect(try server.rows("SELECT points, achievement_points FROM child", columns: 2) == [[3, 3]])
    }
  }
}
