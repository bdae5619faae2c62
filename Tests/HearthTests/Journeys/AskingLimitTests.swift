import GraphQL
import GraphQLTransport
import Storage
import Testing

@testable import Hearth

@Suite("D6, D10: requests cannot flood anybody")
struct AskingLimitTests {
  @Test func `a request that is withdrawn and repeated notifies a limited number of times`() async throws {
    try await TestServer.run { server in
      let carole = try await Household("Carole Hendricks", on: server)
      let janna = try await Household("Janna Duran", on: server)
      let ask: Value = ["id": .string(janna.personID), "offer": ["WORK"]]
      for _ in 0..<20 {
        let request = try await carole.parent.perform(Documents.requestContact, ask)["contactRequest.id"]
        #expect(try await carole.parent.perform(Documents.cancelRequest, ["id": request]).userErrors == [])
      }
      #expect(try await carole.parent.perform(Documents.requestContact, ask).codes == ["RATE_LIMITED"])
      #expect(try await janna.news().count == 20)
      // Others may ask her, and she may ask.
      let ada = try await Household("Ada Lovelace", on: server)
      _ = try await ada.request(janna)
      _ = try await janna.request(carole)
      server.clock.advance(seconds: 600)
      #expect(try await carole.parent.perform(Documents.requestContact, ask)["contact.id"] != .null)
    }
  }

  @Test func `a person can ask a limited number of others`() async throws {
    try await TestServer.run { server in
      let (database, limits, now) = (server.services.database, server.services.rateLimits, server.clock.clock.now())
      let burst = try #require(LimitedAction.askAnyone.limits.subject).burst
      func ask(_ sender: Int64, from first: Int64, _ count: Int64) async throws {
        try await database.write { transaction in
          let write = DatedWrite(at: Timestamp(now), in: transaction)
          for number in first..<first + count {
            let (from, to) = (GlobalID(.person, number: sender), GlobalID(.person, number: number))
            try limits.takeRequest(from: from, to: to, in: write)
          }
        }
      }
      try await ask(1, from: 1_000, Int64(burst))
      let error = await #expect(throws: FieldError.self) { try await ask(1, from: 5_000, 1) }
      #expect(error?.code == .rateLimited)
      try await ask(2, from: 1_000, 1)
    }
  }

  @Test func `an invitation to a family that is presented and withdrawn does not either`() async throws {
    try await TestServer.run { server in
      let ada = try await Household("Ada Lovelace", on: server)
      let carole = try await Household("Carole Hendricks", on: server)
      let janna = try await Household("Janna Duran", on: server)
      let email = "friend@example.com"
      let id = try await ada.parent.perform(Documents.inviteParent, ["email": .string(email)])["invitation.id"]
      let token = Value.string(try await server.mail(to: email, about: "invites").token)
      func present(_ one: Household) async throws -> Outcome {
        try await one.parent.perform(Documents.acceptInvitation, ["token": token])
      }
      for _ in 0..<20 {
        #expect(try await present(carole)["invitation.id"] == id)
        #expect(try await carole.parent.perform(Documents.cancelInvitation, ["id": id]).userErrors == [])
      }
      #expect(try await present(carole).codes == ["RATE_LIMITED"])
      #expect(try await ada.news().count == 20)
      server.clock.advance(seconds: 600)
      #expect(try await present(carole)["invitation.id"] == id)
      #expect(try await carole.parent.perform(Documents.cancelInvitation, ["id": id]).userErrors == [])
      // Others can present it.
      #expect(try await present(janna)["invitation.id"] == id)
    }
  }

  @Test func `a person has at most 1,000 open requests to others`() async throws {
    try await TestServer.run { server in
      let carole = try await Household("Carole Hendricks", on: server)
      let janna = try await Household("Janna Duran", on: server)
      let ada = try await Household("Ada Lovelace", on: server)
      let sender = try #require(server.services.cipher.key(of: carole.personID))
      let now = server.clock.clock.now()
      try await server.services.database.write { transaction in
        for number in 1..<ContactRequest.maximumOfPerson {
          let email = "friend\(number)@example.com"
          let request = ContactRequest(
            id: try KeySequence.next(.contactRequest, in: transaction),
            from: sender,
            to: nil,
            offered: Scopes([]),
            requested: Scopes([]),
            message: nil,
            invitedEmail: email,
            invitedKey: email,
            createdAt: Timestamp(now)
          )
          try transaction.run(ContactRequest.table.insert, request)
        }
      }
      let last = try await carole.request(janna)
      let ask: Value = ["id": .string(ada.personID), "offer": []]
      #expect(try await carole.parent.perform(Documents.requestContact, ask).userErrors == ["personId NOT_ALLOWED"])
      #expect(try await ada.news() == [])
      #expect(try await carole.parent.perform(Documents.cancelRequest, ["id": .string(last)]).userErrors == [])
      _ = try await carole.request(ada)
    }
  }

  @Test func `a person has at most 100 open requests to join groups`() async throws {
    try await TestServer.run { server in
      let carole = try await Household("Carole Hendricks", on: server)
      let janna = try await Household("Janna Duran", on: server)
      let groups = [
        try await janna.createGroup("Red Sox Nation", access: "BY_REQUEST"),
        try await janna.createGroup("Duncan Yo-Yo", access: "BY_REQUEST"),
      ]
      let person = try #require(server.services.cipher.key(of: carole.personID))
      let creator = try #require(server.services.cipher.key(of: janna.personID))
      let now = server.clock.clock.now()
      try await server.services.database.write { transaction in
        let write = DatedWrite(at: Timestamp(now), in: transaction)
        for number in 1..<GroupJoinRequest.maximumOfPerson {
          let group = try Self.group(number, by: creator, in: write)
          let key = try KeySequence.next(.groupJoinRequest, in: transaction)
          try transaction.run(
            GroupJoinRequest.insert,
            (id: key, group: group, person: person, now: write.now)
          )
        }
      }
      _ = try await carole.askToJoin(groups[0])
      #expect(try await carole.join(groups[1]).userErrorReasons == ["groupId NOT_ALLOWED TOO_MANY_REQUESTS"])
      // A repeated request does not count twice.
      #expect(try await carole.join(groups[0]).userErrors == [])
      #expect(try await carole.leave(groups[0]).userErrors == [])
      _ = try await carole.askToJoin(groups[1])
    }
  }

  @Test func `a person is in at most 500 groups, with those that they are invited to`() async throws {
    try await TestServer.run { server in
      let carole = try await Household("Carole Hendricks", on: server)
      let janna = try await Household("Janna Duran", on: server)
      let group = try await janna.createGroup("Red Sox Nation")
      let person = try #require(server.services.cipher.key(of: carole.personID))
      let now = server.clock.clock.now()
      try await server.services.database.write { transaction in
        let write = DatedWrite(at: Timestamp(now), in: transaction)
        for number in 1..<Membership.maximumOfPerson {
          let group = try Self.group(number, by: person, in: write)
          let role = number % 2 == 0 ? GroupRole.invited : .member
          try Membership.insert(person, as: role, of: group, in: write)
        }
      }
      let last = try await carole.createGroup("The last")
      let more: Value = ["input": ["name": "One more"]]
      #expect(try await carole.parent.perform(Documents.createGroup, more).userErrors == ["input NOT_ALLOWED"])
      #expect(try await carole.join(group).userErrorReasons == ["groupId NOT_ALLOWED TOO_MANY_GROUPS"])
      #expect(try await janna.invite([carole], to: group).userErrors == ["personIds.0 NOT_ALLOWED"])
      #expect(try await carole.leave(last).userErrors == [])
      #expect(try await carole.join(group)["group.viewerRole"] == "MEMBER")
    }
  }

  private static func group(_ number: Int64, by person: GlobalID, in write: DatedWrite) throws -> GlobalID {
    let content = PersonGroup.Content(name: "Group \(number)", description: nil, hometown: nil, sharing: Scopes([]))
    return try PersonGroup.insert(content, by: person, in: write)
  }

  @Test func `a member who is made an admin and a member in turn is notified a limited number of times`() async throws {
    try await TestServer.run { server in
      let admin = try await Household("Ada Lovelace", on: server)
      let member = try await Household("Grace Hopper", on: server)
      let group = try await admin.createGroup("Red Sox Nation")
      try await member.join(group)
      for _ in 0..<20 {
        for role in ["ADMIN", "MEMBER"] {
          #expect(try await admin.setRole(role, of: member, in: group).userErrors == [])
        }
      }
      #expect(try await admin.setRole("ADMIN", of: member, in: group).codes == ["RATE_LIMITED"])
      #expect(try await member.news().count == 20)
      #expect(try await admin.group(group)["members.nodes"].each("role") == ["ADMIN", "MEMBER"])
    }
  }

  @Test func `an invitation to a group that is taken back and made again does not either`() async throws {
    try await TestServer.run { server in
      let carole = try await Household("Carole Hendricks", on: server)
      let janna = try await Household("Janna Duran", on: server)
      let ada = try await Household("Ada Lovelace", on: server)
      let group = Value.string(try await carole.createGroup("Duncan Yo-Yo"))
      func invite(_ people: [Household]) async throws -> Outcome {
        let input: Value = ["id": group, "people": Value(people.map(\.personID))]
        return try await carole.parent.perform(Documents.inviteToGroup, input)
      }
      for _ in 0..<20 {
        #expect(try await invite([janna]).errors == .null)
        let input: Value = ["id": group, "person": .string(janna.personID)]
        #expect(try await carole.parent.perform(Documents.removeGroupMember, input).userErrors == [])
      }
      #expect(try await invite([ada, janna]).codes == ["RATE_LIMITED"])
      #expect(try await janna.news().count == 20)
      #expect(try await ada.news() == [])
      #expect(try await invite([ada]).userErrors == [])
    }
  }
}
