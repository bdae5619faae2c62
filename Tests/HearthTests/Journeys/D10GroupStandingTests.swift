import TestSupport
import Testing

@testable import Hearth

@Suite("D10: which groups await an answer", .timeLimit(.minutes(10)))
struct D10GroupStandingTests {
  private static let names = ["Allotment", "Book club", "Choir"]

  /// An admin with a group for each of the names, and a guest.
  private struct People {
    let admin: Household
    let guest: Household
    private(set) var groups: [String] = []

    init(on server: TestServer, access: String) async throws {
      admin = try await Household("Ada Lovelace", on: server)
      guest = try await Household("Grace Hopper", on: server)
      for name in names { groups.append(try await admin.createGroup(name, access: access)) }
    }
  }

  @Test func `an invitation is listed until it is accepted, declined or withdrawn`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server, access: "BY_INVITATION")
      let (admin, guest, groups) = (people.admin, people.guest, people.groups)
      #expect(try await guest.groups("INVITED") == [])
      for group in groups.reversed() { #expect(try await admin.invite([guest], to: group).userErrors == []) }
      #expect(try await guest.groups("INVITED") == Self.names)
      #expect(try await guest.groups() == [])
      #expect(try await guest.groups("REQUESTED") == [])
      #expect(try await guest.join(groups[0]).userErrors == [])
      #expect(try await guest.groups("INVITED") == ["Book club", "Choir"])
      #expect(try await guest.groups() == ["Allotment"])
      #expect(try await guest.leave(groups[1]).userErrors == [])
      #expect(try await guest.groups("INVITED") == ["Choir"])
      #expect(try await admin.removeMember(guest, from: groups[2]).userErrors == [])
      #expect(try await guest.groups("INVITED") == [])
      // The invitations of others are not listed.
      #expect(try await admin.groups("INVITED") == [])
      #expect(try await admin.groups() == Self.names)
    }
  }

  @Test func `a request is listed until it is withdrawn, rejected or accepted`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server, access: "BY_REQUEST")
      let (admin, guest, groups) = (people.admin, people.guest, people.groups)
      var requests: [String] = []
      for group in groups { requests.append(try await guest.askToJoin(group)) }
      #expect(try await guest.groups("REQUESTED") == Self.names)
      #expect(try await guest.groups("INVITED") == [])
      #expect(try await guest.leave(groups[0]).userErrors == [])
      #expect(try await guest.groups("REQUESTED") == ["Book club", "Choir"])
      #expect(try await admin.answer(requests[1], Documents.rejectJoinRequest).userErrors == [])
      #expect(try await guest.groups("REQUESTED") == ["Choir"])
      #expect(try await admin.answer(requests[2], Documents.acceptJoinRequest).userErrors == [])
      #expect(try await guest.groups("REQUESTED") == [])
      #expect(try await guest.groups() == ["Choir"])
    }
  }

  @Test func `a request ends when the group is open now and its sender joins it`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server, access: "BY_REQUEST")
      let (admin, guest, group) = (people.admin, people.guest, people.groups[0])
      let request = try await guest.askToJoin(group)
      _ = try await admin.setAccess("OPEN", of: group)
      let joined = try await guest.join(group)
      #expect(joined["group.viewerRole"] == "MEMBER")
      #expect(joined["group.viewerJoinRequest"] == .null)
      #expect(try await guest.groups("REQUESTED") == [])
      #expect(try await admin.group(group)["joinRequests.totalCount"] == 0)
      for document in [Documents.acceptJoinRequest, Documents.rejectJoinRequest] {
        #expect(try await admin.answer(request, document).userErrors == ["input.requestId NOT_FOUND"])
      }
    }
  }

  @Test func `the end of the request and the membership of its sender are one event of their account`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server, access: "BY_REQUEST")
      let (admin, guest, group) = (people.admin, people.guest, people.groups[0])
      let device = try await Listener.open(server.port, guest.parent, AccountEventTests.changes).listening()
      _ = try await guest.askToJoin(group)
      #expect(try await device.next()["data.accountChanged.__typename"] == "GroupChanged")
      _ = try await admin.setAccess("OPEN", of: group)
      #expect(try await guest.join(group)["group.viewerRole"] == "MEMBER")
      let phone: Value = ["input": ["phone": "+1 617 555 0123"]]
      #expect(try await guest.parent.perform(Documents.updateAccount, phone).userErrors == [])
      let joined: Value = ["id": .string(group), "viewerRole": "MEMBER", "viewerJoinRequest": nil]
      #expect(try await device.next()["data.accountChanged.group"] == joined)
      #expect(try await device.next()["data.accountChanged.__typename"] == "AccountChanged")
    }
  }

  @Test func `a request stays open when its group is opened, and by request again`() async throws {
    try await TestServer.run { server in
      let people = try await People(on: server, access: "BY_REQUEST")
      let (admin, guest, group) = (people.admin, people.guest, people.groups[0])
      let request = try await guest.askToJoin(group)
      // The first one is no change.
      for access in ["BY_REQUEST", "OPEN", "BY_REQUEST"] {
        #expect(try await admin.setAccess(access, of: group)["group.access"] == .string(access))
        #expect(try await guest.groups("REQUESTED") == ["Allotment"], "\(access)")
      }
      #expect(try await admin.answer(request, Documents.acceptJoinRequest).userErrors == [])
      #expect(try await guest.groups() == ["Allotment"])
    }
  }
}
