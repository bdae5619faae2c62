import Testing

@testable import Hearth

@Suite("D10: what is withdrawn in a group stays withdrawn", .timeLimit(.minutes(10)))
struct D10GroupWithdrawalTests {
  enum Parting: CaseIterable, Sendable {
    case demoted, left, deactivated
  }

  private struct People {
    let admin: Household
    let member: Household
    let guest: Household

    init(on server: TestServer) async throws {
      admin = try await Household("Ada Lovelace", on: server)
      member = try await Household("Grace Hopper", on: server)
      guest = try await Household("Browning Duncan", on: server)
    }
  }

  private static func update(_ group: String, _ key: String, to value: Value, by admin: Household) async throws {
    let input: Value = ["id": .string(group)]
    let outcome = try await admin.parent.perform(Documents.updateGroup, ["input": input.setting(key, value)])
    #expect(outcome.userErrors == [])
  }

  private static func details(_ one: Household, of other: Household) async throws -> Int {
    try await one.sees(other)["contactInfo"].list.count
  }

  // MARK: Scopes

  @Test func `a scope that is withdrawn and added again is shared only by those who agree again`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, member, guest) = (people.admin, people.member, people.guest)
      for one in [admin, member, guest] { try await one.addInfo("WORK", ["email": "work@example.com"]) }
      let group = try await admin.createGroup("Red Sox Nation", sharing: ["WORK", "SCHOOL"])
      try await member.join(group)
      #expect(try await Self.details(admin, of: member) == 1)
      try await Self.update(group, "sharing", to: ["SCHOOL"], by: admin)
      #expect(try await Self.details(admin, of: member) == 0)
      try await guest.join(group)
      try await Self.update(group, "sharing", to: ["WORK", "SCHOOL"], by: admin)
      #expect(try await member.group(group)["viewerSharing"] == ["SCHOOL"])
      for one in [admin, guest] { #expect(try await Self.details(one, of: member) == 0) }
      #expect(try await Self.details(admin, of: guest) == 0)
      // The admin has agreed by adding it.
      #expect(try await Self.details(guest, of: admin) == 1)
      // The same scopes again are no change, and end no agreement.
      try await member.join(group)
      try await Self.update(group, "sharing", to: ["WORK", "SCHOOL"], by: admin)
      #expect(try await member.group(group)["viewerSharing"] == ["WORK", "SCHOOL"])
      #expect(try await Self.details(guest, of: member) == 1)
    }
  }

  @Test func `a request does not agree to a scope that was withdrawn and added again since`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, guest) = (people.admin, people.guest)
      let group = try await admin.createGroup("Red Sox Nation", sharing: ["WORK", "SCHOOL"], access: "BY_REQUEST")
      let request = try await guest.askToJoin(group)
      try await Self.update(group, "sharing", to: ["SCHOOL"], by: admin)
      try await Self.update(group, "sharing", to: ["WORK", "SCHOOL"], by: admin)
      #expect(try await admin.answer(request, Documents.acceptJoinRequest).userErrors == [])
      #expect(try await guest.group(group)["viewerSharing"] == ["SCHOOL"])
    }
  }

  // MARK: Access

  @Test func `when more people can join, only those who agree again share anything`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, member, guest) = (people.admin, people.member, people.guest)
      for one in [admin, member, guest] { try await one.addInfo("PERSONAL", ["phone": ["number": "+1 617 555 0199"]]) }
      let group = try await admin.createGroup("Red Sox Nation", sharing: ["PERSONAL"], access: "BY_INVITATION")
      try await admin.invite([member], to: group)
      try await member.join(group)
      #expect(try await Self.details(admin, of: member) == 1)
      try await Self.update(group, "access", to: "BY_REQUEST", by: admin)
      #expect(try await member.group(group)["viewerSharing"] == [])
      #expect(try await Self.details(admin, of: member) == 0)
      #expect(try await Self.details(member, of: admin) == 1)
      // The same access, and a narrower one, end no agreement.
      try await member.join(group)
      for access in ["BY_REQUEST", "BY_INVITATION"] {
        try await Self.update(group, "access", to: .string(access), by: admin)
        #expect(try await member.group(group)["viewerSharing"] == ["PERSONAL"], "\(access)")
      }
      try await Self.update(group, "access", to: "OPEN", by: admin)
      #expect(try await guest.join(group)["group.viewerSharing"] == ["PERSONAL"])
      #expect(try await guest.members(group) == ["Ada Lovelace", "Browning Duncan", "Grace Hopper"])
      #expect(try await Self.details(guest, of: member) == 0)
      #expect(try await guest.sees(member)["dateOfBirth"] == .null)
      // The admin has agreed by changing it.
      #expect(try await Self.details(guest, of: admin) == 1)
      try await member.join(group)
      #expect(try await Self.details(guest, of: member) == 1)
      #expect(try await guest.sees(member)["dateOfBirth"] != .null)
    }
  }

  @Test func `a request does not agree to share with more people who can join since`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, guest) = (people.admin, people.guest)
      let group = try await admin.createGroup("Red Sox Nation", sharing: ["WORK"], access: "BY_REQUEST")
      let request = try await guest.askToJoin(group)
      try await Self.update(group, "access", to: "OPEN", by: admin)
      #expect(try await admin.answer(request, Documents.acceptJoinRequest).userErrors == [])
      #expect(try await guest.group(group)["viewerSharing"] == [])
      #expect(try await guest.join(group)["group.viewerSharing"] == ["WORK"])
    }
  }

  // MARK: Names

  @Test func `notifications name a group by invitation only to those who can see it`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, member, guest) = (people.admin, people.member, people.guest)
      let group = try await admin.createGroup("Red Sox Nation", access: "BY_INVITATION")
      try await admin.invite([member, guest], to: group)
      try await member.join(group)
      for one in [member, guest] {
        #expect(try await one.news() == ["Ada Lovelace invites you to the group Red Sox Nation."])
        #expect(try await admin.removeMember(one, from: group).userErrors == [])
      }
      try await Self.update(group, "name", to: "Blue Sox Nation", by: admin)
      let nameless = "Ada Lovelace invites you to a group."
      #expect(try await member.news() == ["You were removed from a group.", nameless])
      #expect(try await guest.news() == [nameless])
      _ = try await admin.setAccess("BY_REQUEST", of: group)
      let removal = "You were removed from the group Blue Sox Nation."
      #expect(try await member.news() == [removal, "Ada Lovelace invites you to the group Blue Sox Nation."])
      _ = try await admin.setAccess("BY_INVITATION", of: group)
      let before = try await guest.news()
      _ = try await admin.parent.perform(Documents.deleteGroup, ["id": .string(group)])
      // They do not notice that it is deleted.
      #expect(try await guest.news() == before)
      #expect(before == [nameless])
    }
  }

  // MARK: Invitations

  @Test(arguments: Parting.allCases)
  func `invitations to a closed group end when their sender is no longer an admin`(parting: Parting) async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, member, guest) = (people.admin, people.member, people.guest)
      let other = try await Household("Emily Smith", on: server)
      let closed = try await admin.createGroup("Red Sox Nation", access: "BY_INVITATION")
      let open = try await admin.createGroup("UMass Amherst")
      for group in [closed, open] {
        try await admin.invite([member], to: group)
        try await member.join(group)
        #expect(try await admin.setRole("ADMIN", of: member, in: group).userErrors == [])
        #expect(try await member.invite([guest], to: group).userErrors == [])
        try await admin.invite([other], to: group)
        switch parting {
        case .demoted: #expect(try await admin.setRole("MEMBER", of: member, in: group).userErrors == [])
        case .left: #expect(try await member.leave(group).userErrors == [])
        case .deactivated: break
        }
      }
      if parting == .deactivated {
        #expect(try await member.parent.perform(Documents.deactivate, D11DeactivateTests.password).userErrors == [])
      }
      #expect(try await guest.group(closed) == .null)
      #expect(try await guest.join(closed).userErrors == ["groupId NOT_FOUND"])
      #expect(try await other.group(closed)["viewerRole"] == "INVITED")
      // Invitations by members who are not admins are valid in an open group.
      #expect(try await guest.group(open)["viewerRole"] == "INVITED")
    }
  }

  @Test func `an invitation that is withdrawn or declined does not end a removal`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, member, guest) = (people.admin, people.member, people.guest)
      let group = try await admin.createGroup("Red Sox Nation")
      for one in [member, guest] { try await one.join(group) }
      #expect(try await admin.removeMember(guest, from: group).userErrors == [])
      try await admin.invite([guest], to: group)
      #expect(try await guest.group(group)["viewerRole"] == "INVITED")
      #expect(try await admin.removeMember(guest, from: group).userErrors == [])
      #expect(try await guest.join(group).userErrors == ["groupId INVITATION_REQUIRED"])
      #expect(try await member.invite([guest], to: group).userErrors == [])
      #expect(try await guest.group(group)["viewerRole"] == .null)
      try await admin.invite([guest], to: group)
      #expect(try await guest.leave(group).userErrors == [])
      #expect(try await guest.join(group).userErrors == ["groupId INVITATION_REQUIRED"])
      try await admin.invite([guest], to: group)
      #expect(try await guest.join(group)["group.viewerRole"] == "MEMBER")
      try await guest.leave(group)
      #expect(try await guest.join(group)["group.viewerRole"] == "MEMBER")
    }
  }

  @Test func `an invitation that is withdrawn does not end a rejection, and one that is accepted does`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server)
      let (admin, guest) = (people.admin, people.guest)
      let group = try await admin.createGroup("Red Sox Nation", access: "BY_REQUEST")
      _ = try await admin.answer(try await guest.askToJoin(group), Documents.rejectJoinRequest)
      try await admin.invite([guest], to: group)
      #expect(try await admin.removeMember(guest, from: group).userErrors == [])
      #expect(try await guest.join(group).userErrors == ["groupId NOT_ALLOWED"])
      try await admin.invite([guest], to: group)
      #expect(try await guest.join(group)["group.viewerRole"] == "MEMBER")
      try await guest.leave(group)
      _ = try await guest.askToJoin(group)
    }
  }
}
