import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("D10: who can join a group, and who cannot any more", .timeLimit(.minutes(10)))
struct D10GroupAccessTests {
  private struct People {
    let admin: Household
    let member: Household
    let guest: Household

    init(on server: TestServer) async throws {
      admin = try await Household("Ada Lovelace", on: server)
      member = try await Household("Grace Hopper", on: server)
      guest = try await Household("Browning Duncan", on: server)
      for one in [admin, member, guest] { try await one.addInfo("WORK", ["email": "work@example.com"]) }
    }
  }

  private static func details(_ one: Household, of other: Household) async throws -> Int {
    try await one.sees(other)["contactInfo"].list.count
  }

  @Test func `a removed member cannot join again, until an admin invites them`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, member, guest) = (people.admin, people.member, people.guest)
      let group = try await admin.createGroup("Red Sox Nation", sharing: ["WORK"])
      for one in [member, guest] { #expect(try await one.join(group).userErrors == []) }
      #expect(try await Self.details(guest, of: admin) == 1)
      #expect(try await admin.removeMember(guest, from: group).userErrors == [])
      #expect(try await guest.news().first == "You were removed from the group Red Sox Nation.")
      let before = try await admin.group(group)
      #expect(try await guest.join(group).userErrors == ["groupId INVITATION_REQUIRED"])
      #expect(try await Self.details(guest, of: admin) == 0)
      // A member without the admin role can neither accept nor invite them.
      let news = try await guest.news()
      #expect(try await member.invite([guest], to: group).userErrors == [])
      #expect(try await guest.group(group)["viewerRole"] == .null)
      #expect(try await guest.news() == news)
      _ = try await admin.setAccess("BY_REQUEST", of: group)
      #expect(try await guest.join(group).userErrors == ["groupId INVITATION_REQUIRED"])
      _ = try await admin.setAccess("OPEN", of: group)
      #expect(try await admin.group(group) == before)
      #expect(try await admin.invite([guest], to: group).userErrors == [])
      #expect(try await guest.join(group)["group.viewerRole"] == "MEMBER")
      // Joining has ended the exclusion: they come and go like others.
      try await guest.leave(group)
      #expect(try await guest.join(group).userErrors == [])
    }
  }

  @Test func `a member who invites people does not learn who was removed`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, member, guest) = (people.admin, people.member, people.guest)
      let other = try await Household("Emily Smith", on: server)
      let third = try await Household("John Smith", on: server)
      let group = try await admin.createGroup("Red Sox Nation")
      for one in [member, guest, other] { #expect(try await one.join(group).userErrors == []) }
      for one in [guest, other] { #expect(try await admin.removeMember(one, from: group).userErrors == []) }
      #expect(try await member.invite([third, guest, admin, other], to: group).userErrors == [])
      #expect(try await third.group(group)["viewerRole"] == "INVITED")
      for one in [guest, other] { #expect(try await one.group(group)["viewerRole"] == .null) }
      // The limit does not show it either.
      for one in [third, guest] {
        for _ in 0..<19 { #expect(try await member.invite([one], to: group).userErrors == []) }
        #expect(try await member.invite([one], to: group).codes == ["RATE_LIMITED"])
      }
      #expect(try await third.news().count == 1)
      let uninvited = try await third.invite([guest, other], to: group)
      #expect(uninvited.userErrorReasons == ["groupId NOT_ALLOWED NOT_MEMBER"])
    }
  }

  @Test func `a withdrawn invitation to an open group removes nobody`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let group = try await people.admin.createGroup("Red Sox Nation")
      try await people.admin.invite([people.guest], to: group)
      #expect(try await people.admin.removeMember(people.guest, from: group).userErrors == [])
      #expect(try await people.guest.news().count == 1)
      #expect(try await people.guest.join(group).userErrors == [])
    }
  }

  @Test func `a request waits for an admin, shows nothing before, and shares what was agreed to`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, member, guest) = (people.admin, people.member, people.guest)
      try await guest.addInfo("SCHOOL", ["email": "school@example.com"])
      let group = try await admin.createGroup("Red Sox Nation", sharing: ["WORK"], access: "BY_REQUEST")
      try await admin.invite([member], to: group)
      #expect(try await member.join(group)["group.viewerRole"] == "MEMBER")
      let asked = try await guest.join(group)
      #expect(asked.userErrors == [])
      #expect(asked["group.viewerRole"] == .null)
      #expect(asked["group.viewerJoinRequest.person.name"] == "Browning Duncan")
      #expect(asked["group.members"] == ["totalCount": 0, "nodes": []])
      #expect(asked["group.memberCount"] == 2)
      #expect(asked["group.joinRequests"] == ["totalCount": 0, "nodes": []])
      let request = try #require(asked["group.viewerJoinRequest.id"].string)
      #expect(try await Self.details(guest, of: admin) == 0)
      #expect(try await Self.details(admin, of: guest) == 0)
      // A repeated request changes nothing and notifies nobody.
      #expect(try await guest.askToJoin(group) == request)
      #expect(try await admin.news() == ["Browning Duncan asks to join the group Red Sox Nation."])
      let requests = try await admin.group(group)["joinRequests"]
      let person: Value = ["id": .string(guest.personID), "name": "Browning Duncan"]
      #expect(requests == ["totalCount": 1, "nodes": [["id": .string(request), "person": person]]])
      // Members and the requester cannot answer it: for them it does not exist.
      for one in [member, guest] {
        for document in [Documents.acceptJoinRequest, Documents.rejectJoinRequest] {
          #expect(try await one.answer(request, document).userErrors == ["input.requestId NOT_FOUND"])
        }
      }
      #expect(try await member.group(group)["joinRequests.totalCount"] == 0)
      #expect(try await member.invite([guest], to: group).userErrorReasons == ["groupId NOT_ALLOWED NOT_ADMIN"])
      // The requester has not agreed to scopes that the group shares since.
      let more: Value = ["id": .string(group), "sharing": ["WORK", "SCHOOL"]]
      _ = try await admin.parent.perform(Documents.updateGroup, ["input": more])
      #expect(try await admin.answer(request, Documents.acceptJoinRequest)["group.memberCount"] == 3)
      #expect(try await guest.news().first == "You are now a member of the group Red Sox Nation.")
      #expect(try await guest.group(group)["viewerSharing"] == ["WORK"])
      #expect(try await Self.details(admin, of: guest) == 1)
      #expect(try await admin.group(group)["joinRequests.totalCount"] == 0)
      #expect(try await admin.answer(request, Documents.acceptJoinRequest).userErrors == ["input.requestId NOT_FOUND"])
    }
  }

  @Test func `the 50 admins who joined first are notified of a request`() async throws {
    try await TestServer.run { server in
      let creator = try await Household("Ada Lovelace", on: server)
      let guest = try await Household("Browning Duncan", on: server)
      let id = try await creator.createGroup("Red Sox Nation", access: "BY_REQUEST")
      let group = try #require(server.services.cipher.key(of: id))
      let first = try #require(server.services.cipher.key(of: creator.personID))
      let now = server.clock.clock.now()
      // The last one joins first, so that the order is not that of their keys.
      let others = try await server.services.database.write { transaction in
        let seeder = Seeder(transaction: transaction, now: now)
        let family = try seeder.family("Admins", timeZone: "UTC")
        return try (1...50).map { number in
          let adult = Seeder.Adult(first: "Admin", last: "\(number)", born: "1990-01-01", gender: .other)
          let person = try seeder.parent(in: family, adult, email: "\(number)@example.org", passwordHash: "")
          let joining = DatedWrite(at: Timestamp(now + 100 - Int64(number)), in: transaction)
          try Membership.insert(person, as: .admin, of: group, in: joining)
          return person
        }
      }
      #expect(try await guest.join(id)["group.viewerJoinRequest.id"] != .null)
      let notified = try server.rows("SELECT recipient_id FROM notification", columns: 1)
      #expect(Set(notified.map { $0[0] }) == Set(([first] + others.dropFirst()).map(\.rawValue)))
      #expect(notified.count == 50)
    }
  }

  @Test func `a rejected requester asks again after 30 days, or is invited`() async throws {
    try await TestServer.run(configure: { $0.accessTokenLifetime = 90 * 86_400 }) { server in
      let people = try await People(on: server)
      let (admin, guest) = (people.admin, people.guest)
      let group = try await admin.createGroup("Red Sox Nation", access: "BY_REQUEST")
      let request = try await guest.askToJoin(group)
      #expect(try await admin.answer(request, Documents.rejectJoinRequest)["removedId"] == .string(request))
      #expect(try await guest.news() == [])
      #expect(try await guest.group(group)["viewerJoinRequest"] == .null)
      #expect(try await guest.join(group).userErrorReasons == ["groupId NOT_ALLOWED TOO_SOON"])
      server.clock.advance(days: 29)
      #expect(try await guest.join(group).userErrors == ["groupId NOT_ALLOWED"])
      server.clock.advance(days: 1)
      let again = try await guest.askToJoin(group)
      _ = try await admin.answer(again, Documents.rejectJoinRequest)
      #expect(try await admin.invite([guest], to: group).userErrors == [])
      #expect(try await guest.join(group)["group.viewerRole"] == "MEMBER")
    }
  }

  @Test func `a request is withdrawn by leaving, and answered by an admin's invitation`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, guest) = (people.admin, people.guest)
      let group = try await admin.createGroup("Red Sox Nation", access: "BY_REQUEST")
      let withdrawn = try await guest.askToJoin(group)
      #expect(try await guest.leave(group)["removedId"] == .string(group))
      #expect(
        try await admin.answer(withdrawn, Documents.acceptJoinRequest).userErrors == ["input.requestId NOT_FOUND"]
      )
      #expect(try await guest.leave(group).userErrors == ["groupId NOT_ALLOWED"])
      _ = try await guest.askToJoin(group)
      #expect(try await admin.invite([guest], to: group)["group.memberCount"] == 2)
      #expect(try await guest.group(group)["viewerRole"] == "MEMBER")
    }
  }

  @Test func `a group by invitation is visible to its members and invited people only`()
    async throws
  {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, member, guest) = (people.admin, people.member, people.guest)
      let group = try await admin.createGroup("Red Sox Nation", sharing: ["WORK"])
      try await member.join(group)
      let early = try await Household("Emily Smith", on: server)
      let late = try await Household("John Smith", on: server)
      try await member.invite([early], to: group)
      try await admin.invite([late], to: group)
      #expect(try await guest.search("red sox") == ["Red Sox Nation"])
      #expect(try await admin.setAccess("BY_INVITATION", of: group)["group.access"] == "BY_INVITATION")
      // Members stay and admins' invitations too; what other members have invited does not.
      #expect(try await member.group(group)["viewerRole"] == "MEMBER")
      #expect(try await late.group(group)["viewerRole"] == "INVITED")
      for one in [guest, early] {
        #expect(try await one.group(group) == .null)
        #expect(try await one.search("red sox") == [])
        for outcome in [
          try await one.join(group), try await one.leave(group), try await one.invite([one], to: group),
          try await one.removeMember(admin, from: group), try await one.setAccess("OPEN", of: group),
        ] { #expect(outcome["userErrors"].each("code") == ["NOT_FOUND"]) }
      }
      #expect(try await late.join(group).userErrors == [])
      #expect(try await member.invite([guest], to: group).userErrors == ["groupId NOT_ALLOWED"])
      _ = try await admin.removeMember(member, from: group)
      #expect(try await member.group(group) == .null)
      #expect(try await member.join(group).userErrors == ["groupId NOT_FOUND"])
      _ = try await admin.setAccess("BY_REQUEST", of: group)
      #expect(try await guest.search("red sox") == ["Red Sox Nation"])
    }
  }

  @Test func `requests end when a group is by invitation, is deleted, or the account is deactivated`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, member, guest) = (people.admin, people.member, people.guest)
      let group = try await admin.createGroup("Red Sox Nation", access: "BY_REQUEST")
      let first = try await guest.askToJoin(group)
      _ = try await admin.setAccess("BY_INVITATION", of: group)
      #expect(try await admin.answer(first, Documents.acceptJoinRequest).userErrors == ["input.requestId NOT_FOUND"])
      _ = try await admin.setAccess("BY_REQUEST", of: group)
      let second = try await guest.askToJoin(group)
      _ = try await guest.parent.perform(Documents.deactivate, D11DeactivateTests.password)
      #expect(try await admin.group(group)["joinRequests.totalCount"] == 0)
      #expect(try await admin.answer(second, Documents.acceptJoinRequest).userErrors == ["input.requestId NOT_FOUND"])
      let third = try await member.askToJoin(group)
      _ = try await admin.parent.perform(Documents.deleteGroup, ["id": .string(group)])
      #expect(try await admin.answer(third, Documents.acceptJoinRequest).userErrors == ["input.requestId NOT_FOUND"])
    }
  }

  @Test func `of two who act at once each comes to one end`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, member, guest) = (people.admin, people.member, people.guest)
      let group = try await admin.createGroup("Red Sox Nation", access: "BY_REQUEST")
      try await admin.invite([member], to: group)
      try await member.join(group)
      _ = try await admin.setRole("ADMIN", of: member, in: group)
      // Two admins answer the same request differently.
      let request = try await guest.askToJoin(group)
      let answers = try await server.atOnce([
        { try await admin.answer(request, Documents.acceptJoinRequest) },
        { try await member.answer(request, Documents.rejectJoinRequest) },
      ])
      #expect(answers.map(\.userErrors) == [[], ["input.requestId NOT_FOUND"]])
      #expect(try await guest.group(group)["viewerRole"] == "MEMBER")
      // A member joins again, on another device, while an admin removes them.
      let removal = try await server.atOnce([
        { try await admin.removeMember(guest, from: group) },
        { try await guest.parent.another.perform(Documents.joinGroup, ["id": .string(group)]) },
      ])
      #expect(removal.map(\.userErrors) == [[], ["groupId INVITATION_REQUIRED"]])
      #expect(try await guest.group(group)["viewerRole"] == .null)
      // A request is withdrawn while it is accepted.
      let other = try await Household("Emily Smith", on: server)
      let withdrawn = try await other.askToJoin(group)
      let outcomes = try await server.atOnce([
        { try await other.parent.perform(Documents.leaveGroup, ["id": .string(group)]) },
        { try await admin.answer(withdrawn, Documents.acceptJoinRequest) },
      ])
      #expect(outcomes.map(\.userErrors) == [[], ["input.requestId NOT_FOUND"]])
      #expect(try await other.group(group)["viewerRole"] == .null)
    }
  }

  @Test func `pages of requests follow each other`() async throws {
    try await TestServer.run { server in
      let admin = try await Household("Ada Lovelace", on: server)
      let group = try await admin.createGroup("Red Sox Nation", access: "BY_REQUEST")
      var asked: [Value] = []
      for name in ["Emily Smith", "John Smith", "Ryan Hayes"] {
        asked.append(.string(try await Household(name, on: server).askToJoin(group)))
      }
      let document = """
        query ($id: ID!, $after: String) { node(id: $id) { ... on Group { joinRequests(first: 1, after: $after) {
          totalCount nodes { id group { id } } pageInfo { hasNextPage endCursor } } } } }
        """
      var found: [Value] = []
      var after: Value = nil
      repeat {
        let answer = try await admin.parent.ask(document, ["id": .string(group), "after": after])
        let page = answer["data.node.joinRequests"]
        #expect(page["totalCount"] == 3)
        found += page["nodes"].each("id")
        after = page["pageInfo.hasNextPage"] == true ? page["pageInfo.endCursor"] : nil
      } while after != nil
      #expect(found == asked)
    }
  }
}
