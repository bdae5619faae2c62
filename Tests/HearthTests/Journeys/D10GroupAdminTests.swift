import Testing

@testable import Hearth

@Suite("D10: who becomes an admin of a group is notified")
struct D10GroupAdminTests {
  private static let newest = """
    { viewer { ... on Account { notifications(first: 1) { nodes { __typename
      ... on GroupAdminNotification { group { name } } } } } } }
    """
  private static let message = "You are now an admin of the group Red Sox Nation."

  @Test func `a member whom an admin makes an admin is notified once`() async throws {
    try await TestServer.run { server in
      let admin = try await Household("Ada Lovelace", on: server)
      let member = try await Household("Grace Hopper", on: server)
      let group = try await admin.createGroup("Red Sox Nation")
      try await member.join(group)
      for role in ["ADMIN", "ADMIN", "MEMBER"] {
        #expect(try await admin.setRole(role, of: member, in: group).userErrors == [])
        #expect(try await member.news() == [Self.message], "\(role)")
      }
      let newest = try await member.parent.ask(Self.newest)["data.viewer.notifications.nodes"]
      #expect(newest == [["__typename": "GroupAdminNotification", "group": ["name": "Red Sox Nation"]]])
      // An admin who sets their own role is not notified.
      #expect(try await admin.setRole("ADMIN", of: admin, in: group).userErrors == [])
      #expect(try await admin.news() == [])
      _ = try await admin.parent.perform(Documents.deleteGroup, ["id": .string(group)])
      #expect(try await member.news() == ["You are now an admin of a group."])
    }
  }

  @Test(arguments: [false, true])
  func `the longest-standing member is notified when the last admin leaves`(isDeactivation: Bool) async throws {
    try await TestServer.run { server in
      let admin = try await Household("Ada Lovelace", on: server)
      let member = try await Household("Grace Hopper", on: server)
      let newcomer = try await Household("Browning Duncan", on: server)
      let group = try await admin.createGroup("Red Sox Nation")
      for one in [member, newcomer] {
        server.clock.advance(seconds: 60)
        try await one.join(group)
      }
      if isDeactivation {
        let outcome = try await admin.parent.perform(Documents.deactivate, D11DeactivateTests.password)
        #expect(outcome.userErrors == [])
      } else {
        #expect(try await admin.leave(group).userErrors == [])
      }
      #expect(try await member.news() == [Self.message])
      #expect(try await newcomer.news() == [])
      // There is another admin already.
      #expect(try await member.setRole("ADMIN", of: newcomer, in: group).userErrors == [])
      #expect(try await member.leave(group).userErrors == [])
      #expect(try await newcomer.news() == [Self.message])
    }
  }
}
