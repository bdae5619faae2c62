import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("An invitation is for its address, and a parent confirms anyone else", .timeLimit(.minutes(10)))
struct FamilyInvitationConfirmationTests {
  private static let lisa = "lisa@example.com"
  private static let rejection = "The family has not confirmed you as a parent."

  /// The token of the mail, and the invitation.
  private static func invite(_ email: String = lisa, by ada: Household, _ server: TestServer) async throws
    -> (token: Value, id: Value)
  {
    let outcome = try await ada.parent.perform(Documents.inviteParent, ["email": .string(email)])
    #expect(outcome.userErrors == [])
    return (.string(try await server.mail(to: email, about: "invites").token), outcome["invitation.id"])
  }

  /// A token that is older than the table of invitations.
  private static func oldToken(of ada: Household, _ server: TestServer) async throws -> Value {
    let family = try #require(server.services.cipher.key(of: ada.familyID))
    let now = server.clock.clock.now()
    let text = try await server.services.database.write { transaction in
      try OneTimeToken.issue(.familyInvitation, for: family, in: DatedWrite(at: Timestamp(now), in: transaction)).text
    }
    return .string(text)
  }

  private static func accept(_ one: Household, _ token: Value) async throws -> Outcome {
    try await one.parent.perform(Documents.acceptInvitation, ["token": token])
  }

  private static func confirm(_ ada: Household, _ invitation: Value, _ person: Household) async throws -> Outcome {
    try await ada.parent.perform(Documents.confirmInvitation, ["id": invitation, "person": .string(person.personID)])
  }

  private static func invitations(_ one: Household) async throws -> [Value] {
    try await one.parent.ask(Documents.invitations)["data.family.invitations"].list
  }

  @Test func `another account waits, sees nothing of the family, and comes in once a parent confirms`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia")
      let (token, id) = try await Self.invite(by: ada, server)
      #expect(
        try await Self.invitations(ada) == [
          [
            "id": id, "email": .string(Self.lisa), "status": "SENT", "createdAt": "2026-11-21T08:00:00Z",
            "expiresAt": "2026-11-28T08:00:00Z", "invitedBy": ["name": "Ada Lovelace"], "claimedBy": nil,
            "claimedAt": nil,
          ]
        ]
      )
      let grace = try await Household("Grace Hopper", on: server)
      try await grace.verifyEmail(on: server)
      let chore = try await grace.addChore("Walk the dog")
      let waiting = try await Self.accept(grace, token)
      #expect(waiting.userErrors == [])
      #expect(waiting["family"] == .null)
      #expect(waiting["invitation.id"] == id)
      #expect(waiting["invitation.status"] == "AWAITING_CONFIRMATION")
      #expect(waiting["invitation.email"] == .null)
      #expect(waiting["invitation.invitedBy"] == .null)
      #expect(try await grace.parents() == ["Grace Hopper"])
      #expect(
        try await ada.news() == ["Grace Hopper has an invitation to your family and waits for your confirmation."]
      )
      let listed = try await Self.invitations(ada)
      #expect(listed.first?["claimedBy.name"] == "Grace Hopper")
      // Presenting it again changes nothing and notifies nobody.
      #expect(try await Self.accept(grace, token)["invitation.id"] == id)
      #expect(try await ada.news().count == 1)
      // Others cannot use it, and nobody can confirm themselves or someone who is not waiting.
      let emily = try await Household("Emily Smith", on: server)
      #expect(try await Self.accept(emily, token).userErrorReasons == ["token CONFLICT INVITATION_IN_USE"])
      #expect(try await Self.confirm(grace, id, grace).userErrors == ["input.invitationId NOT_FOUND"])
      #expect(try await Self.confirm(ada, id, emily).userErrors == ["input.personId NOT_FOUND"])
      let listener = try await Listener.open(server.port, grace.parent, A06LiveDashboardTests.changes).listening()
      let confirmed = try await Self.confirm(ada, id, grace)
      #expect(confirmed["family.parents"].each("name") == ["Ada Lovelace", "Grace Hopper"])
      #expect(
        try await listener.end()
          == .close(1013, "RIGHTS_CHANGED: Your rights have changed: reconnect.")
      )
      #expect(try await grace.parents() == ["Ada Lovelace", "Grace Hopper"])
      #expect(try await grace.news() == ["You are now a parent of your new family."])
      #expect(try await Self.invitations(ada) == [])
      let chores = try await ada.parent.ask("{ family { chores { nodes { id } } } }")
      #expect(chores["data.family.chores.nodes"].each("id") == [.string(chore)])
      #expect(try await Self.accept(emily, token).userErrors == ["token NOT_FOUND"])
    }
  }

  @Test func `the invited address takes precedence once it is verified, even if others wait`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let (token, id) = try await Self.invite(by: ada, server)
      let lisa = try await Household(on: server, email: Self.lisa, name: "Lisa Shoemaker")
      #expect(try await Self.accept(lisa, token)["invitation.status"] == "AWAITING_CONFIRMATION")
      #expect(try await lisa.parent.perform(Documents.cancelInvitation, ["id": id])["removedId"] == id)
      let emily = try await Household("Emily Smith", on: server)
      #expect(try await Self.accept(emily, token)["invitation.status"] == "AWAITING_CONFIRMATION")
      try await lisa.verifyEmail(on: server)
      #expect(try await Self.accept(lisa, token)["family.id"] == .string(ada.familyID))
      #expect(try await ada.news().first == "Lisa Shoemaker is now a parent of your family.")
      #expect(try await lisa.news() == [])
      #expect(try await emily.news() == [Self.rejection])
      #expect(try await Self.confirm(ada, id, emily).userErrors == ["input.invitationId NOT_FOUND"])
      #expect(try await ada.parents() == ["Ada Lovelace", "Lisa Shoemaker"])
    }
  }

  @Test func `the token is valid as long as an invitation that was presented`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let (token, id) = try await Self.invite(by: ada, server)
      server.clock.advance(days: 6)
      let lisa = try await Household(on: server, email: Self.lisa, name: "Lisa Shoemaker")
      await server.deliverMail()
      #expect(try await Self.accept(lisa, token)["invitation.id"] == id)
      server.clock.advance(days: 6)
      let again = try await lisa.signedInAgain(on: server)
      try await again.verifyEmail(on: server)
      #expect(try await Self.accept(again, token)["family.id"] == .string(ada.familyID))
    }
  }

  @Test(arguments: [Documents.leaveFamily, Documents.deactivate])
  func `a person who waits is notified when the parent who has invited leaves`(ending: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      let (token, id) = try await Self.invite(by: grace, server)
      let emily = try await Household("Emily Smith", on: server)
      #expect(try await Self.accept(emily, token)["invitation.id"] == id)
      #expect(try await grace.parent.perform(ending, D11DeactivateTests.password).userErrors == [])
      #expect(try await Self.invitations(ada) == [])
      #expect(try await emily.news() == [Self.rejection])
    }
  }

  @Test(arguments: [false, true])
  func `a person who waits is notified when the last parent deactivates their account`(hasOldToken: Bool) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let token = try await hasOldToken ? Self.oldToken(of: ada, server) : Self.invite(by: ada, server).token
      let emily = try await Household("Emily Smith", on: server)
      #expect(try await Self.accept(emily, token)["invitation.status"] == "AWAITING_CONFIRMATION")
      #expect(try await ada.parent.perform(Documents.deactivate, D11DeactivateTests.password).userErrors == [])
      #expect(try await emily.news() == [Self.rejection])
    }
  }

  @Test func `a person who waits is notified when the family becomes a part of another`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let (token, id) = try await Self.invite(by: grace, server)
      let emily = try await Household("Emily Smith", on: server)
      #expect(try await Self.accept(emily, token)["invitation.id"] == id)
      try await ada.admit(grace, on: server)
      #expect(try await emily.news() == [Self.rejection])
    }
  }

  @Test func `a person who waits is notified within an hour after the invitation has expired, once`() async throws {
    let directory = try TemporaryDirectory()
    var people: [Household] = []
    try await TestServer.run(in: directory) { server in
      people = [try await Household(on: server), try await Household("Emily Smith", on: server)]
      let (token, id) = try await Self.invite(by: people[0], server)
      #expect(try await Self.accept(people[1], token)["invitation.id"] == id)
    }
    for days in [6, 8, 9] as [Int64] {
      try await TestServer.run(in: directory, startingLater: days * 86_400) { server in
        await server.clock.whenSomebodySleeps(until: server.clock.clock.now() + 3_600_000)
        let emily = try await people[1].at(server).signedInAgain(on: server)
        #expect(try await emily.news() == (days < 7 ? [] : [Self.rejection]))
        let ada = try await people[0].at(server).signedInAgain(on: server)
        #expect(try await Self.invitations(ada).count == (days < 7 ? 1 : 0))
      }
    }
  }

  @Test func `a parent cancels an invitation, and a new one replaces the earlier`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let (first, old) = try await Self.invite(by: ada, server)
      let (second, id) = try await Self.invite(by: ada, server)
      #expect(try await Self.invitations(ada).map { $0["id"] } == [id])
      let lisa = try await Household(on: server, email: Self.lisa, name: "Lisa Shoemaker")
      #expect(try await Self.accept(lisa, first).userErrors == ["token NOT_FOUND"])
      for (one, invitation) in [(ada, old), (lisa, id)] {
        let outcome = try await one.parent.perform(Documents.cancelInvitation, ["id": invitation])
        #expect(outcome.userErrors == ["input.invitationId NOT_FOUND"])
      }
      _ = try await Self.accept(lisa, second)
      #expect(try await ada.parent.perform(Documents.cancelInvitation, ["id": id])["removedId"] == id)
      #expect(try await lisa.news() == [Self.rejection])
      #expect(try await Self.accept(lisa, second).userErrors == ["token NOT_FOUND"])
      #expect(try await Self.invitations(ada) == [])
    }
  }

  @Test func `of cancelling and accepting, or confirming, at once one comes to pass`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let lisa = try await Household(on: server, email: Self.lisa, name: "Lisa Shoemaker")
      try await lisa.verifyEmail(on: server)
      let (token, id) = try await Self.invite(by: ada, server)
      let cancelled = try await server.atOnce([
        { try await ada.parent.perform(Documents.cancelInvitation, ["id": id]) },
        { try await Self.accept(lisa, token) },
      ])
      #expect(cancelled.map(\.userErrors) == [[], ["token NOT_FOUND"]])
      let emily = try await Household("Emily Smith", on: server)
      let (other, second) = try await Self.invite("other@example.com", by: ada, server)
      _ = try await Self.accept(emily, other)
      let withdrawn = try await server.atOnce([
        { try await emily.parent.perform(Documents.cancelInvitation, ["id": second]) },
        { try await Self.confirm(ada, second, emily) },
      ])
      #expect(withdrawn.map(\.userErrors) == [[], ["input.personId NOT_FOUND"]])
      _ = try await Self.accept(emily, other)
      let confirmed = try await server.atOnce([
        { try await Self.confirm(ada, second, emily) },
        { try await emily.parent.perform(Documents.addChild, ["input": ["name": "Ben", "birth": ["age": 8]]]) },
      ])
      #expect(confirmed[0].userErrors == [])
      #expect(confirmed[1].codes == ["RIGHTS_CHANGED"])
      #expect(try await ada.parents() == ["Ada Lovelace", "Emily Smith"])
    }
  }

  @Test func `a token does not show that a removal is open, and no person joins meanwhile`() async throws {
    try await TestServer.run(configure: { $0.accessTokenLifetime = 30 * 86_400 }) { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      server.clock.advance(days: 2)
      let (token, id) = try await Self.invite(by: ada, server)
      let removal = try await ada.requestRemoval(of: grace)["removal.id"]
      #expect(removal != .null)
      let emily = try await Household("Emily Smith", on: server)
      #expect(try await Self.accept(emily, token)["invitation.status"] == "AWAITING_CONFIRMATION")
      let open = ["input.invitationId CONFLICT PARENT_REMOVAL_OPEN"]
      #expect(try await Self.confirm(ada, id, emily).userErrorReasons == open)
      let lisa = try await Household(on: server, email: Self.lisa, name: "Lisa Shoemaker")
      try await lisa.verifyEmail(on: server)
      let early = try await Self.accept(lisa, token)
      #expect(early.userErrorReasons == ["token CONFLICT FAMILY_NOT_ACCEPTING"])
      let message: Value = "The family cannot accept anybody at this moment: try again later."
      #expect(early["userErrors"].each("message") == [message])
      #expect(try await ada.parent.perform(Documents.cancelRemoval, ["id": removal])["removedId"] == removal)
      #expect(try await Self.accept(lisa, token)["family.id"] == .string(ada.familyID))
    }
  }

  @Test func `who waits and has children by then stays`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let (token, id) = try await Self.invite(by: ada, server)
      _ = try await Self.accept(grace, token)
      _ = try await grace.addChild("Ben")
      #expect(try await Self.confirm(ada, id, grace).userErrorReasons == ["input.personId CONFLICT HAS_CHILDREN"])
      #expect(try await grace.parents() == ["Grace Hopper"])
      server.clock.advance(days: 7)
      let again = try await ada.signedInAgain(on: server)
      #expect(try await Self.confirm(again, id, grace).userErrors == ["input.invitationId NOT_FOUND"])
      #expect(try await Self.invitations(again) == [])
    }
  }

  @Test func `who waits and has deleted a child stays as long as the child can be restored`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let (token, id) = try await Self.invite(by: ada, server)
      _ = try await Self.accept(grace, token)
      let ben = try await grace.addChild("Ben")
      #expect(try await grace.deleteChild(ben).userErrors == [])
      let conflict = "CONFLICT HAS_DELETED_CHILD"
      #expect(try await Self.confirm(ada, id, grace).userErrorReasons == ["input.personId \(conflict)"])
      #expect(try await Self.accept(grace, token).userErrorReasons == ["token \(conflict)"])
      #expect(try await grace.parents() == ["Grace Hopper"])
      let restored = try await grace.parent.perform(Documents.restoreChild, ["id": .string(ben)])
      #expect(restored["child.name"] == "Ben")
      // A removed child cannot be restored, and does not prevent the move.
      _ = try await grace.parent.perform(Documents.removeChild, ["id": .string(ben)])
      #expect(try await Self.confirm(ada, id, grace).userErrors == [])
      #expect(try await ada.parents() == ["Ada Lovelace", "Grace Hopper"])
      let deleted = try await ada.parent.ask("{ family { deletedChildren { name } } }")
      #expect(deleted["data.family.deletedChildren"] == [])
    }
  }

  @Test func `a token that is older than the list of invitations needs a parent's confirmation`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household(on: server, email: Self.lisa, name: "Grace Hopper")
      try await grace.verifyEmail(on: server)
      let token = try await Self.oldToken(of: ada, server)
      let waiting = try await Self.accept(grace, token)
      #expect(waiting["invitation.status"] == "AWAITING_CONFIRMATION")
      let listed = try #require(try await Self.invitations(ada).first)
      #expect(listed["email"] == .null)
      #expect(try await Self.confirm(ada, listed["id"], grace).userErrors == [])
      #expect(try await ada.parents() == ["Ada Lovelace", "Grace Hopper"])
      let late = try await Household("Emily Smith", on: server)
      #expect(try await Self.accept(late, token).userErrors == ["token NOT_FOUND"])
    }
  }
}
