import TestSupport
import Testing

@testable import Hearth

@Suite("Parents part: one leaves, or is removed", .timeLimit(.minutes(10)))
struct ParentRemovalTests {
  private static let password: Value = ["password": .string(Household.password)]

  private struct Family {
    let ada: Household
    let grace: Household
    let mia: String

    /// Two parents, of whom the second joined long ago, and a child.
    init(on server: TestServer, joinedHoursAgo hours: Int64 = 25) async throws {
      ada = try await Household(on: server)
      grace = try await Household("Grace Hopper", on: server)
      mia = try await ada.addChild("Mia", username: "mia")
      try await ada.admit(grace, on: server)
      server.clock.advance(seconds: hours * 3_600)
    }
  }

  /// Sessions that last as long as these stories do.
  private static func run(_ body: (TestServer) async throws -> Void) async throws {
    try await TestServer.run(configure: { $0.accessTokenLifetime = 365 * 86_400 }, body)
  }

  /// Waits until the scheduler, which wakes on a thread of its own, has removed the parent.
  private static func parents(_ one: Household, become names: [String]) async throws {
    try await waitUntil("The parents are \(names).") { try await one.parents() == names }
  }

  // MARK: Leaving

  @Test func `who has left is not notified of a chore that they did`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household(on: server, email: "grace@example.com", name: "Grace Hopper")
      try await ada.admit(grace, on: server)
      let chore: Value = ["id": .string(try await ada.addChore())]
      #expect(try await grace.parent.perform(Documents.finishChore, chore).userErrors == [])
      let count = "{ viewer { ... on Account { notifications { totalCount } } } }"
      #expect(try await grace.parent.perform(Documents.leaveFamily, Self.password).userErrors == [])
      let before = try await grace.parent.ask(count)
      let input = chore.setting("comment", "Once more")
      #expect(try await ada.parent.perform(Documents.returnChore, ["input": input]).userErrors == [])
      #expect(try await grace.parent.ask(count) == before)
    }
  }

  @Test func `a parent leaves at once, and the children stay with the other`() async throws {
    try await Self.run { server in
      let family = try await A16ChildSessionTests.Family(on: server)
      server.clock.advance(seconds: 25 * 3_600)
      let (ada, grace, mia) = (family.ada, family.grace, family.mia)
      let code = try await A16ChildSessionTests.code(for: mia, by: grace.parent)
      let child = try await A16ChildSessionTests.scan(code, server).client
      let open = try await A16ChildSessionTests.code(for: mia, by: grace.parent)
      let gracesPassword = A16ChildSessionTests.Family.gracesPassword
      let byPassword = try await A16ChildSessionTests.signIn("mia", with: gracesPassword, server)
      let chore = try await grace.addChore("Feed the cat", for: [grace.personID, mia])
      _ = try await grace.assign([(try await grace.addChore("Homework"), 2)], to: mia)
      let item = try await grace.addItem("Tent")
      _ = try await grace.parent.perform(Documents.inviteParent, ["email": "friend@example.com"])
      let token = Value.string(try await server.mail(to: "friend@example.com", about: "invites").token)
      let listener = try await Listener.open(server.port, grace.parent, A06LiveDashboardTests.changes).listening()
      let watching = "subscription { familyChanged { ... on ParentLeft { parentId } } }"
      let stays = try await Listener.open(server.port, ada.parent, watching).listening()
      let wrong = try await grace.parent.perform(Documents.leaveFamily, ["password": "not it at all"])
      #expect(wrong.userErrors == ["input.password WRONG_CREDENTIALS"])
      let left = try await grace.parent.perform(Documents.leaveFamily, ["password": .string(gracesPassword)])
      #expect(left.userErrors == [])
      #expect(left["family.id"] != .string(ada.familyID))
      #expect(left["family.name"] == "Hopper family")
      #expect(left["family.parents"].each("name") == ["Grace Hopper"])
      #expect(left["family.children"] == [])
      #expect(left["family.chores.totalCount"] == 0)
      var event = try await stays.next()
      while event["data.familyChanged.parentId"] == .null { event = try await stays.next() }
      #expect(event["data.familyChanged.parentId"] == .string(grace.personID))
      var frame = try await listener.socket.receive()
      while case .text = frame { frame = try await listener.socket.receive() }
      #expect(frame == .close(1013, "RIGHTS_CHANGED: Your rights have changed: reconnect."))
      #expect(try await ada.parents() == ["Ada Lovelace"])
      #expect(try await ada.news().first == "Grace Hopper left your family.")
      #expect(try await server.mail(to: grace.email, about: "left your family").plain.contains("Grace"))
      // The history names who did what; open chores are no longer theirs.
      let document = """
        { family { chores(orderBy: NAME) { nodes { id createdBy { name } assignees { id } } } items { nodes { id } }
          children { finishedChores { nodes { points assignedBy { name } } } } } }
        """
      let again = try await ada.signIn("mia")
      for viewer in [ada.parent, again] {
        let history = try await viewer.ask(document)
        #expect(history["errors"] == .null)
        #expect(history["data.family.chores.nodes.0.id"] == .string(chore))
        #expect(history["data.family.chores.nodes"].each("createdBy.name") == ["Grace Hopper", "Grace Hopper"])
        #expect(history["data.family.chores.nodes.0.assignees"] == [["id": .string(mia)]])
        #expect(history["data.family.items.nodes"].each("id") == [.string(item)])
        let finished = history["data.family.children.0.finishedChores.nodes"]
        #expect(finished == [["points": 2, "assignedBy": ["name": "Grace Hopper"]]])
      }
      // The parent's ways in are closed: the child's sessions and codes, the password, the invitations.
      #expect(try await child.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      try await A16ChildSessionTests.expectEnded(byPassword, server)
      let scanned = try await server.visitor.perform(Documents.signInWithCode, ["token": open, "device": "tablet"])
      #expect(scanned.userErrors == ["token NOT_FOUND"])
      let input = C5ChildSignInTests.input("mia", gracesPassword)
      #expect(
        try await server.visitor.perform(Documents.signInChild, input).userErrors == ["input WRONG_CREDENTIALS"]
      )
      let friend = try await Household(on: server, email: "friend@example.com", name: "Friend Friend")
      let late = try await friend.parent.perform(Documents.acceptInvitation, ["token": token])
      #expect(late.userErrors == ["token NOT_FOUND"])
      for id in [mia, chore, item] {
        let node = try await grace.parent.ask("query ($id: ID!) { node(id: $id) { id } }", ["id": .string(id)])
        #expect(node["data.node"] == .null)
      }
      let turned = try await grace.parent.perform(Documents.removeChild, ["id": .string(mia)])
      #expect(turned.userErrors == ["id NOT_FOUND"])
      // They can be invited again.
      let back = try await ada.parent.perform(Documents.inviteParent, ["email": .string(grace.email)])
      #expect(back.userErrors == [])
      let second = Value.string(try await server.mail(to: grace.email, about: "invites").token)
      let returned = try await grace.parent.perform(Documents.acceptInvitation, ["token": second])
      #expect(returned["family.id"] == .string(ada.familyID))
    }
  }

  @Test func `the last parent leaves no children behind, and of two who leave at once one stays`() async throws {
    try await Self.run { server in
      let family = try await Family(on: server)
      let (ada, grace) = (family.ada, family.grace)
      let outcomes = try await server.atOnce([
        { try await grace.parent.perform(Documents.leaveFamily, Self.password) },
        { try await grace.parent.another.perform(Documents.addItem, ["input": ["name": "Tent"]]) },
      ])
      #expect(outcomes[0].userErrors == [])
      // In either order: the item belongs to the old family, or is not added.
      #expect(outcomes[1].codes == ["RIGHTS_CHANGED"] || outcomes[1].userErrors == [])
      #expect(try await grace.parent.ask("{ family { items { totalCount } } }")["data.family.items.totalCount"] == 0)
      let last = try await ada.parent.perform(Documents.leaveFamily, Self.password)
      #expect(last.userErrors == ["input NOT_ALLOWED"])
      #expect(try await ada.parents() == ["Ada Lovelace"])
      let alone = try await grace.parent.perform(Documents.leaveFamily, Self.password)
      #expect(alone.userErrors == ["input NOT_ALLOWED"])
    }
  }

  // MARK: Removing

  @Test func `a removal takes effect after the waiting period, and everybody is notified`() async throws {
    try await Self.run { server in
      let family = try await Family(on: server)
      let (ada, grace, mia) = (family.ada, family.grace, family.mia)
      let code = try await A16ChildSessionTests.code(for: mia, by: grace.parent)
      let child = try await A16ChildSessionTests.scan(code, server).client
      let other = try await A16ChildSessionTests.scan(
        try await A16ChildSessionTests.code(for: mia, by: ada.parent),
        server
      )
      let wrong: Value = ["person": .string(grace.personID), "password": "not it at all"]
      let rejected = try await ada.parent.perform(Documents.requestRemoval, wrong)
      #expect(rejected.userErrors == ["input.password WRONG_CREDENTIALS"])
      let both = try await ada.parent.perform(Documents.requestRemoval, wrong.setting("person", "nonsense"))
      #expect(both.userErrors == ["input.password WRONG_CREDENTIALS", "input.personId NOT_FOUND"])
      let requested = try await ada.requestRemoval(of: grace)
      #expect(requested.userErrors == [])
      #expect(requested["removal.requestedAt"] == "2026-11-22T09:00:00Z")
      #expect(requested["removal.effectiveAt"] == "2026-11-29T09:00:00Z")
      #expect(requested["removal.parent.name"] == "Grace Hopper")
      #expect(requested["family.parents"].each("name") == ["Ada Lovelace", "Grace Hopper"])
      #expect(try await grace.parent.ask(Documents.parents)["data.family.parentRemoval.id"] == requested["removal.id"])
      #expect(try await child.ask(Documents.parents)["data.family.parentRemoval"] == .null)
      #expect(try await ada.news().first == "Ada Lovelace asks to remove Grace Hopper from your family.")
      #expect(try await grace.news().first == "Ada Lovelace asks to remove you from your family.")
      for one in [ada, grace] {
        let mail = try await server.mail(to: one.email, about: "to be removed")
        #expect(mail.plain.contains("29 November 2026"))
      }
      // Neither side can change who belongs to the family meanwhile.
      for one in [ada, grace] {
        let child = try await one.parent.perform(Documents.removeChild, ["id": .string(mia)])
        #expect(child.userErrors == ["id CONFLICT"])
        #expect(try await one.deleteChild(mia).userErrors == ["input.id CONFLICT"])
        let guest = try await one.parent.perform(Documents.inviteParent, ["email": "guest@example.com"])
        #expect(guest.userErrors == ["email CONFLICT"])
      }
      #expect(try await grace.requestRemoval(of: ada).userErrors == ["input.personId CONFLICT"])
      server.clock.advance(seconds: 7 * 86_400 - 1)
      #expect(try await ada.parents() == ["Ada Lovelace", "Grace Hopper"])
      let open = try await A16ChildSessionTests.code(for: mia, by: grace.parent)
      server.clock.advance(seconds: 1)
      try await Self.parents(ada, become: ["Ada Lovelace"])
      #expect(try await grace.parents() == ["Grace Hopper"])
      #expect(try await ada.news().first == "Grace Hopper was removed from your family.")
      #expect(
        try await grace.news().first == "You were removed from your family, and have a new family of your own."
      )
      #expect(try await server.mail(to: grace.email, about: "were removed").plain.contains("Grace"))
      #expect(try await child.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      let scanned = try await server.visitor.perform(Documents.signInWithCode, ["token": open, "device": "tablet"])
      #expect(scanned.userErrors == ["token NOT_FOUND"])
      // The sessions that the remaining parent has opened continue.
      try await A16ChildSessionTests.expectAlive(other, server)
      let children = try await grace.parent.ask("{ family { children { name } } }")
      #expect(children["data.family.children"] == [])
      #expect(try await ada.parent.ask(Documents.parents)["data.family.parentRemoval"] == .null)
    }
  }

  @Test func `an operator sets the waiting period`() async throws {
    try await TestServer.run(configure: {
      $0.accessTokenLifetime = 365 * 86_400
      $0.parentRemovalDays = 2
    }) { server in
      let family = try await Family(on: server)
      let requested = try await family.ada.requestRemoval(of: family.grace)
      #expect(requested["removal.requestedAt"] == "2026-11-22T09:00:00Z")
      #expect(requested["removal.effectiveAt"] == "2026-11-24T09:00:00Z")
      server.clock.advance(seconds: 2 * 86_400 - 1)
      #expect(try await family.ada.parents() == ["Ada Lovelace", "Grace Hopper"])
      server.clock.advance(seconds: 1)
      try await Self.parents(family.ada, become: ["Ada Lovelace"])
    }
  }

  @Test func `a removal that became due while the server was down takes effect when it starts`() async throws {
    let directory = try TemporaryDirectory()
    var ada: Household?
    try await TestServer.run(in: directory) { server in
      let family = try await Family(on: server)
      #expect(try await family.ada.signedInAgain(on: server).requestRemoval(of: family.grace).userErrors == [])
      ada = family.ada
    }
    try await TestServer.run(in: directory, startingLater: 9 * 86_400) { server in
      let again = try await Household(try #require(ada), parent: server.visitor).signedInAgain(on: server)
      try await Self.parents(again, become: ["Ada Lovelace"])
    }
  }

  @Test func `an objection ends it, and the same is requested again after 30 days`() async throws {
    try await Self.run { server in
      let family = try await Family(on: server)
      let (ada, grace) = (family.ada, family.grace)
      let id = try await ada.requestRemoval(of: grace)["removal.id"]
      for (one, document) in [(ada, Documents.objectToRemoval), (grace, Documents.cancelRemoval)] {
        #expect(try await one.parent.perform(document, ["id": id]).userErrors == ["input.removalId NOT_ALLOWED"])
      }
      let other = try await Household("Emily Smith", on: server)
      for document in [Documents.objectToRemoval, Documents.cancelRemoval] {
        #expect(try await other.parent.perform(document, ["id": id]).userErrors == ["input.removalId NOT_FOUND"])
      }
      #expect(try await grace.parent.perform(Documents.objectToRemoval, ["id": id])["removedId"] == id)
      for one in [ada, grace] {
        #expect(try await one.news().first?.hasPrefix("The request to remove") == true)
      }
      server.clock.advance(days: 8)
      #expect(try await ada.parents() == ["Ada Lovelace", "Grace Hopper"])
      #expect(try await ada.requestRemoval(of: grace).userErrors == ["input.personId NOT_ALLOWED"])
      server.clock.advance(days: 22)
      let again = try await ada.requestRemoval(of: grace)["removal.id"]
      #expect(try await ada.parent.perform(Documents.cancelRemoval, ["id": again])["removedId"] == again)
      #expect(try await ada.requestRemoval(of: grace).userErrors == ["input.personId NOT_ALLOWED"])
      // The other side's request is another.
      #expect(try await grace.requestRemoval(of: ada).userErrors == [])
    }
  }

  @Test func `a parent who was invited by mistake can be removed immediately, within a day`() async throws {
    try await Self.run { server in
      let family = try await Family(on: server, joinedHoursAgo: 23)
      let (ada, grace) = (family.ada, family.grace)
      // The invited one has no such right.
      let byGrace = try await grace.requestRemoval(of: ada)
      #expect(byGrace["removal.id"] != .null)
      _ = try await grace.parent.perform(Documents.cancelRemoval, ["id": byGrace["removal.id"]])
      let removed = try await ada.requestRemoval(of: grace)
      #expect(removed["removal"] == .null)
      #expect(removed["family.parents"].each("name") == ["Ada Lovelace"])
      #expect(try await grace.parents() == ["Grace Hopper"])
    }
  }

  @Test func `a parent who joined while the clock was ahead is not removed immediately`() async throws {
    try await Self.run { server in
      let family = try await Family(on: server, joinedHoursAgo: -1)
      let requested = try await family.ada.requestRemoval(of: family.grace)
      #expect(requested.userErrors == [])
      #expect(requested["removal.id"] != .null)
      #expect(requested["family.parents"].each("name") == ["Ada Lovelace", "Grace Hopper"])
    }
  }

  @Test func `leaving is possible while a removal is open, and ends it`() async throws {
    try await Self.run { server in
      for leaver in 0...1 {
        let ada = try await Household("Ada \(leaver)", on: server)
        let grace = try await Household("Grace \(leaver)", on: server)
        try await ada.admit(grace, on: server)
        server.clock.advance(days: 2)
        #expect(try await ada.requestRemoval(of: grace).userErrors == [])
        let left = try await [ada, grace][leaver].parent.perform(Documents.leaveFamily, Self.password)
        #expect(left.userErrors == [])
        server.clock.advance(days: 8)
        let stays = [grace, ada][leaver]
        #expect(try await stays.parent.ask(Documents.parents)["data.family.parentRemoval"] == .null)
        #expect(try await stays.parents().count == 1)
      }
    }
  }

  @Test func `an objection and what makes the removal due come to one end`() async throws {
    try await Self.run { server in
      let family = try await Family(on: server)
      let (ada, grace) = (family.ada, family.grace)
      let id = try await ada.requestRemoval(of: grace)["removal.id"]
      let outcomes = try await server.atOnce([
        { try await grace.parent.perform(Documents.objectToRemoval, ["id": id]) },
        { try await ada.parent.perform(Documents.cancelRemoval, ["id": id]) },
      ])
      #expect(outcomes.map(\.userErrors) == [[], ["input.removalId NOT_FOUND"]])
      #expect(try await ada.parents().count == 2)
    }
  }

  @Test func `only parents of the family can be removed, and not by themselves`() async throws {
    try await Self.run { server in
      let family = try await Family(on: server)
      let other = try await Household("Emily Smith", on: server)
      #expect(try await family.ada.requestRemoval(of: other).userErrors == ["input.personId NOT_FOUND"])
      #expect(try await other.requestRemoval(of: family.grace).userErrors == ["input.personId NOT_FOUND"])
      #expect(try await family.ada.requestRemoval(of: family.ada).userErrors == ["input.personId NOT_ALLOWED"])
      let child = try await family.ada.signIn("mia")
      let variables: Value = ["person": .string(family.grace.personID), "password": .string(Household.password)]
      #expect(try await child.perform(Documents.requestRemoval, variables).codes == ["FORBIDDEN"])
      #expect(try await child.perform(Documents.leaveFamily, Self.password).codes == ["FORBIDDEN"])
    }
  }

  @Test func `the others are notified of a parent who deactivates their account, by name`() async throws {
    try await Self.run { server in
      let family = try await Family(on: server)
      _ = try await family.grace.parent.perform(Documents.deactivate, Self.password)
      #expect(try await family.ada.news().first == "Grace Hopper left your family.")
    }
  }
}
