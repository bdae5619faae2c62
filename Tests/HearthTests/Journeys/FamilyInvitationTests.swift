import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("A parent invites another parent")
struct FamilyInvitationTests {
  static let guest = "grace@example.com"

  private func invitation(to address: String = guest, from ada: Household, _ server: TestServer) async throws -> Value {
    let outcome = try await ada.parent.perform(Documents.inviteParent, ["email": .string(address)])
    #expect(outcome.userErrors.isEmpty)
    #expect(outcome["family.id"] == .string(ada.familyID))
    return .string(try await server.mail(to: address, about: "invites").token)
  }

  private func accept(_ household: Household, _ token: Value) async throws -> Outcome {
    try await household.parent.perform(Documents.acceptInvitation, ["token": token])
  }

  @Test func `who accepts is a parent of that family from then on, on every connection`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let token = try await invitation(from: ada, server)
      let grace = try await Household(on: server, email: Self.guest, name: "Grace Hopper")
      try await grace.verifyEmail(on: server)
      let connections = (0..<6).map { _ in grace.parent.another }
      for connection in connections {
        #expect(try await connection.ask("{ family { id } }")["data.family.id"] == .string(grace.familyID))
      }
      let outcome = try await accept(grace, token)
      #expect(outcome.userErrors.isEmpty)
      #expect(outcome["family.id"] == .string(ada.familyID))
      #expect(outcome["family.parents"].each("name") == ["Ada Lovelace", "Grace Hopper"])
      #expect(outcome["family.children"].each("name") == ["Mia"])
      for connection in connections {
        #expect(try await connection.ask("{ family { id } }")["data.family.id"] == .string(ada.familyID))
      }
      // The children sign in with either parent's password, and either parent may add to the family.
      _ = try await grace.addChore("Walk the dog")
      _ = try await ada.signIn("mia")
      let refreshed = try await server.visitor.perform(Documents.refresh, ["token": .string(grace.refreshToken)])
      let app = server.visitor.with(token: refreshed["credentials.accessToken"].string)
      #expect(try await app.ask("{ family { id } }")["data.family.id"] == .string(ada.familyID))
      let again = try await server.visitor.perform(
        Documents.signIn,
        A02SignInTests.input(Self.guest, Household.password)
      )
      let renewed = server.visitor.with(token: again["credentials.accessToken"].string)
      #expect(try await renewed.ask("{ family { id } }")["data.family.id"] == .string(ada.familyID))
    }
  }

  @Test func `a family has a limited number of parents`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let token = try await invitation(from: ada, server)
      let grace = try await Household(on: server, email: Self.guest, name: "Grace Hopper")
      try await grace.verifyEmail(on: server)
      let family = try #require(server.services.cipher.key(of: ada.familyID))
      let now = server.clock.clock.now()
      let others = try await server.services.database.write { transaction in
        let seeder = Seeder(transaction: transaction, now: now)
        return try (1..<FamilyInvitation.maximumParents).map { number in
          let adult = Seeder.Adult(first: "Parent", last: "\(number)", born: "1990-01-01", gender: .other)
          return try seeder.parent(in: family, adult, email: "\(number)@example.org", passwordHash: "")
        }
      }
      #expect(try await accept(grace, token).userErrorReasons == ["token CONFLICT TOO_MANY_PARENTS"])
      let ben = try await Household("Ben Wolf", on: server)
      let waiting = try await accept(ben, try await invitation(to: "other@example.com", from: ada, server))
      let confirmation: Value = ["id": waiting["invitation.id"], "person": .string(ben.personID)]
      let full = try await ada.parent.perform(Documents.confirmInvitation, confirmation)
      #expect(full.userErrorReasons == ["input.invitationId CONFLICT TOO_MANY_PARENTS"])
      // After one has left, another one can join.
      let unassignments = server.services.unassignments
      try await server.services.database.write { transaction in
        let write = DatedWrite(at: Timestamp(now), in: transaction).inFamily(family)
        _ = try FamilyDeparture.depart(try #require(others.last), unassignments: unassignments, in: write)
      }
      #expect(try await accept(grace, token).userErrors == [])
      #expect(try await ada.parent.perform(Documents.confirmInvitation, confirmation).userErrors == full.userErrors)
    }
  }

  @Test func `members of the family are notified of the due reminders of the new parent`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let token = try await invitation(from: ada, server)
      let grace = try await Household(on: server, email: Self.guest, name: "Grace Hopper")
      try await grace.verifyEmail(on: server)
      let reminder = try await grace.setReminder(of: try await grace.addChore(), at: "2026-11-21T08:00:30Z")
      let due = "subscription { reminderDue { id } }"
      let guest = try await Listener.open(server.port, grace.parent, due).listening()
      let host = try await Listener.open(server.port, ada.parent, due).listening()
      server.clock.advance(seconds: 30)
      #expect(try await guest.next()["data.reminderDue.id"] == .string(reminder))
      #expect(try await accept(grace, token).userErrors.isEmpty)
      #expect(try await host.next()["data.reminderDue.id"] == .string(reminder))
    }
  }

  @Test func `the data of the new parent moves with them`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let token = try await invitation(from: ada, server)
      let grace = try await Household(on: server, email: Self.guest, name: "Grace Hopper")
      try await grace.verifyEmail(on: server)
      let removed = try await grace.addChild("Ben")
      let chore = try await grace.addChore("Water the plants", for: [grace.personID, removed])
      _ = try await grace.makeContract(with: removed)
      _ = try await grace.assign([(try await grace.addChore("Done before"), 2)], to: removed)
      _ = try await grace.parent.perform(Documents.removeChild, ["id": .string(removed)])
      let daily: Value = ["input": ["name": "Feed the cat", "frequency": "DAILY"]]
      _ = try await grace.parent.perform(Documents.addChore, daily)
      let item = try await grace.addItem("Tent")
      let reminder = try await grace.setReminder(of: chore, at: "2026-11-23T08:00:00Z")
      #expect(try await accept(grace, token).userErrors.isEmpty)
      let document = """
        { family { children { name } chores(orderBy: NAME) { nodes { name assignees { id } createdBy { name } } }
          items { nodes { id } } reminders { nodes { id chore { id } } } } }
        """
      let family = try await ada.parent.ask(document)
      #expect(family["errors"] == .null)
      #expect(family["data.family.children"] == [["name": "Mia"]])
      #expect(
        family["data.family.chores.nodes"] == [
          ["name": "Done before", "assignees": [], "createdBy": ["name": "Grace Hopper"]],
          ["name": "Feed the cat", "assignees": [], "createdBy": ["name": "Grace Hopper"]],
          [
            "name": "Water the plants", "assignees": [["id": .string(grace.personID)]],
            "createdBy": ["name": "Grace Hopper"],
          ],
        ]
      )
      #expect(family["data.family.items.nodes"].each("id") == [.string(item)])
      #expect(
        family["data.family.reminders.nodes"] == [["id": .string(reminder), "chore": ["id": .string(chore)]]]
      )
      #expect(try await grace.parent.ask(document) == family)
      #expect(try await ada.assign([(chore, 3)], to: mia).userErrors.isEmpty)
    }
  }

  @Test func `their repeating chores continue in the new family, and end in an abandoned one`()
    async throws
  {
    try await RepeatingChores.run { server in
      let ada = try await Household(on: server)
      let token = try await invitation(from: ada, server)
      let grace = try await Household(on: server, email: Self.guest, name: "Grace Hopper")
      try await grace.verifyEmail(on: server)
      let daily: Value = ["input": ["name": "Feed the cat", "frequency": "DAILY"]]
      _ = try await grace.parent.perform(Documents.addChore, daily)
      let turns = { try server.rows("SELECT count(next_turn_at), count(*) FROM family", columns: 2) }
      #expect(try await accept(grace, token).userErrors.isEmpty)
      server.clock.advance(days: 1)
      let list = "{ family { chores(orderBy: NAME, filter: { status: OPEN }) { nodes { name period } } } }"
      let expected: Value = [["name": "Feed the cat", "period": "2026-11-22"]]
      try await waitUntil("The chore of the next day is open.") {
        try await ada.parent.ask(list)["data.family.chores.nodes"] == expected
      }
      #expect(try turns() == [[1, 2]])
      for one in [ada, grace] {
        let left = try await one.parent.perform(Documents.deactivate, ["password": .string(Household.password)])
        #expect(left["deactivated"] == true)
      }
      #expect(try turns() == [[0, 2]])
    }
  }

  @Test func `an invitation is good once, and for seven days`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let (first, second) = (
        try await invitation(from: ada, server), try await invitation(to: "late@example.com", from: ada, server)
      )
      let grace = try await Household(on: server, email: Self.guest)
      try await grace.verifyEmail(on: server)
      #expect(try await accept(grace, first).userErrors.isEmpty)
      let late = try await Household(on: server, email: "late@example.com")
      #expect(try await accept(late, first).userErrors == ["token NOT_FOUND"])
      server.clock.advance(days: 7)
      let signedIn = try await server.visitor.perform(
        Documents.signIn,
        A02SignInTests.input("late@example.com", Household.password)
      )
      let app = server.visitor.with(token: signedIn["credentials.accessToken"].string)
      let outcome = try await app.perform(Documents.acceptInvitation, ["token": second])
      #expect(outcome.userErrors == ["token EXPIRED"])
    }
  }

  @Test func `a parent with children, or another parent, stays, and the invitation remains valid`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let token = try await invitation(from: ada, server)
      let withChild = try await Household(on: server, email: "withchild@example.com")
      _ = try await withChild.addChild("Ben")
      #expect(try await accept(withChild, token).userErrorReasons == ["token CONFLICT HAS_CHILDREN"])
      #expect(try await withChild.parent.ask("{ family { id } }")["data.family.id"] == .string(withChild.familyID))

      let host = try await Household(on: server, email: "host@example.com")
      let partner = try await Household(on: server, email: "partner@example.com")
      try await partner.verifyEmail(on: server)
      #expect(
        try await accept(partner, try await invitation(to: "partner@example.com", from: host, server)).userErrors == []
      )
      #expect(try await accept(partner, token).userErrorReasons == ["token CONFLICT HAS_OTHER_PARENT"])
      #expect(try await accept(host, token).userErrorReasons == ["token CONFLICT HAS_OTHER_PARENT"])

      let grace = try await Household(on: server, email: Self.guest)
      try await grace.verifyEmail(on: server)
      #expect(try await accept(grace, token).userErrors.isEmpty)
    }
  }

  @Test func `parents can invite, and people without a family can accept`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let variables: Value = ["email": .string(Self.guest)]
      #expect(try await child.perform(Documents.inviteParent, variables).codes == ["FORBIDDEN"])
      #expect(try await server.visitor.perform(Documents.inviteParent, variables).codes == ["UNAUTHENTICATED"])
      for (email, expected) in [
        ("ADA@example.com", "email TAKEN"), ("nobody", "email INVALID"), ("  ", "email BLANK"),
        ("a@example.com\r\nBcc: b@example.com", "email INVALID"),
      ] {
        let outcome = try await ada.parent.perform(Documents.inviteParent, ["email": .string(email)])
        #expect(outcome.userErrors == [expected])
        #expect(outcome["family"] == .null)
      }
      #expect(try await server.mails().allSatisfy { !$0.subject.contains("invites") })
      let token = try await invitation(from: ada, server)
      #expect(try await child.perform(Documents.acceptInvitation, ["token": token]).codes == ["FORBIDDEN"])
      #expect(
        try await server.visitor.perform(Documents.acceptInvitation, ["token": token]).codes == ["UNAUTHENTICATED"]
      )
    }
  }

  @Test func `a family has at most 50 open invitations, and a replaced, cancelled or expired one makes room`()
    async throws
  {
    try await TestServer.run(configure: { $0.accessTokenLifetime = 86_400 * 30 }) { server in
      let ada = try await Household(on: server)
      try await ada.verifyEmail(on: server)
      func invite(_ number: Int) async throws -> Outcome {
        try await ada.parent.perform(Documents.inviteParent, ["email": .string("p\(number)@example.com")])
      }
      for number in 0..<50 { #expect(try await invite(number).userErrors == []) }
      #expect(try await invite(50).userErrors == ["email NOT_ALLOWED"])
      let again = try await invite(0)
      #expect(again.userErrors == [])
      let cancelled = try await ada.parent.perform(Documents.cancelInvitation, ["id": again["invitation.id"]])
      #expect(cancelled.userErrors == [])
      #expect(try await invite(50).userErrors == [])
      #expect(try await invite(51).userErrors == ["email NOT_ALLOWED"])
      server.clock.advance(days: 7)
      for number in 51..<53 { #expect(try await invite(number).userErrors == []) }
    }
  }

  @Test func `when the last parent has left, nobody can accept`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let token = try await invitation(from: ada, server)
      let grace = try await Household(on: server, email: Self.guest)
      try await grace.verifyEmail(on: server)
      _ = try await ada.parent.perform(Documents.deactivate, D11DeactivateTests.password)
      #expect(try await accept(grace, token).userErrors == ["token NOT_FOUND"])
    }
  }

  @Test func `of two parents one leaves: the children go on with the other`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let form = Household.form(Self.guest).setting("password", "another password")
      let registered = try await server.visitor.perform(Documents.register, ["input": form])
      let grace = server.visitor.with(token: registered["credentials.accessToken"].string)
      let token = try await invitation(from: ada, server)
      let verification = Value.string(try await server.mail(to: Self.guest, about: "Confirm").token)
      _ = try await server.visitor.perform(Documents.verifyEmail, ["token": verification])
      #expect(try await grace.perform(Documents.acceptInvitation, ["token": token]).userErrors.isEmpty)
      _ = try await ada.parent.perform(Documents.deactivate, D11DeactivateTests.password)
      // The sessions that the parent who left has opened end; otherwise they would still have access to the family.
      #expect(try await child.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      for (password, expected) in [(Household.password, ["input WRONG_CREDENTIALS"]), ("another password", [])] {
        let input = C5ChildSignInTests.input("mia", password)
        #expect(try await server.visitor.perform(Documents.signInChild, input).userErrors == expected)
      }
      let input = C5ChildSignInTests.input("mia", "another password")
      let outcome = try await server.visitor.perform(Documents.signInChild, input)
      let again = server.visitor.with(token: outcome["credentials.accessToken"].string)
      #expect(try await again.ask("{ family { parents { name } } }")["data.family.parents"].list.count == 1)
    }
  }
}
