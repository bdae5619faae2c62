import Storage
import TestSupport
import Testing

@testable import Hearth

/// The budget of a write is small here, so that some thousand chores are as many as a hundred thousand are for a
/// server.
@Suite("Members with many chores leave", .timeLimit(.minutes(10)))
struct UnassignmentTests {
  private static let limit: @Sendable (inout Configuration) -> Void = { $0.databaseLimits.writeSteps = 300_000 }

  /// How a member leaves the family.
  enum Departure: CaseIterable {
    case removedChild, deletedChild, leavingParent, removedParent, deactivatedParent
  }

  @Test(arguments: Departure.allCases)
  func `the member leaves at once, and is unassigned from all chores`(departure: Departure) async throws {
    try await TestServer.run(configure: Self.limit) { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      let child = try await ada.addChild("Mia")
      let member = departure == .removedChild || departure == .deletedChild ? child : grace.personID
      _ = try await ada.addChore(for: [member])
      try await server.copyChore(4_000)
      let outcome =
        switch departure {
        case .removedChild: try await ada.parent.perform(Documents.removeChild, ["id": .string(child)])
        case .deletedChild: try await ada.deleteChild(child)
        case .leavingParent:
          try await grace.parent.perform(Documents.leaveFamily, ["password": .string(Household.password)])
        case .removedParent: try await ada.requestRemoval(of: grace)
        case .deactivatedParent: try await grace.parent.perform(Documents.deactivate, D11DeactivateTests.password)
        }
      #expect(outcome.userErrors == [] && outcome.codes == [], "\(outcome)")
      let members = try await ada.parent.ask("{ family { children { id } parents { id } } }")["data.family"]
      #expect(!(members["children"].each("id") + members["parents"].each("id")).contains(.string(member)))
      try await becomesUnassigned(on: server)
    }
  }

  @Test func `a parent with more chores than one write can move does not join another family`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChore()
      // With the chore and an item, one row too many.
      try await server.copyChore(Int(FamilyMerge.maximumRows) - 1)
      let item = try await ada.addItem()
      let host = try await Household("Hedy Host", on: server)
      try await ada.verifyEmail(on: server)
      #expect(try await host.parent.perform(Documents.inviteParent, ["email": .string(ada.email)]).userErrors == [])
      let token = Value.string(try await server.mail(to: ada.email, about: "invites").token)
      let rejected = try await ada.parent.perform(Documents.acceptInvitation, ["token": token])
      #expect(rejected.userErrorReasons == ["token NOT_ALLOWED TOO_MANY_CHORES"])
      #expect(try await ada.parent.perform(Documents.removeItem, ["id": .string(item)]).userErrors == [])
      let joined = try await ada.parent.perform(Documents.acceptInvitation, ["token": token])
      #expect(joined["family.id"] == .string(host.familyID), "\(joined)")
    }
  }

  @Test(.onlySQLite("Only its writes have a budget of steps."))
  func `a mutation that changes more than one may is a clear error, and changes nothing`() async throws {
    let (directory, log) = (try TemporaryDirectory(), RecordedLog())
    var (token, child) = ("", "")
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      token = ada.parent.token ?? ""
      child = try await ada.addChild("Mia")
      _ = try await ada.addChore(for: [child])
      try await server.copyChore(200)
    }
    try await TestServer.run(in: directory, log: log.logger, configure: { $0.databaseLimits.writeSteps = 5_000 }) {
      server in
      let parent = server.visitor.with(token: token)
      let outcome = try await parent.perform(Documents.removeChild, ["id": .string(child)])
      #expect(outcome.codes == ["WRITE_LIMIT_EXCEEDED"])
      #expect(try await parent.ask("{ family { children { id } } }")["data.family.children.0.id"] == .string(child))
      #expect(log.messages.contains { $0.hasPrefix("A write changed more than one write may.") })
    }
  }

  @Test func `it continues after a restart`() async throws {
    let directory = try TemporaryDirectory()
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      let child = try await ada.addChild("Mia")
      _ = try await ada.addChore(for: [child])
      try await server.copyChore(4_000)
      server.services.unassignments.stop()
      #expect(try await ada.parent.perform(Documents.removeChild, ["id": .string(child)]).userErrors == [])
      #expect(try server.rows("SELECT count(*) FROM departed_member", columns: 1) == [[1]])
    }
    try await TestServer.run(in: directory, configure: Self.limit) { server in
      try await becomesUnassigned(on: server)
    }
  }

  @Test func `a child that is restored meanwhile keeps the chores that it still has`() async throws {
    let directory = try TemporaryDirectory()
    let assigned = "SELECT count(*) FROM assignment"
    var left: [[Int64]] = []
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      let child = try await ada.addChild("Mia")
      _ = try await ada.addChore(for: [child])
      try await server.copyChore(1_000)
      server.services.unassignments.stop()
      #expect(try await ada.deleteChild(child).userErrors == [])
      left = try server.rows(assigned, columns: 1)
      #expect(0 < left[0][0] && left[0][0] < 1_001)
      #expect(try await ada.parent.perform(Documents.restoreChild, ["id": .string(child)]).userErrors == [])
    }
    try await TestServer.run(in: directory) { server in
      try await server.rows("SELECT count(*) FROM departed_member", become: 0)
      #expect(try server.rows(assigned, columns: 1) == left)
    }
  }

  @Test func `it goes on in the family that a parent joins with the chores`() async throws {
    let directory = try TemporaryDirectory()
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      let child = try await ada.addChild("Mia")
      _ = try await ada.addChore(for: [child])
      try await server.copyChore(1_000)
      server.services.unassignments.stop()
      #expect(try await ada.parent.perform(Documents.removeChild, ["id": .string(child)]).userErrors == [])
      let host = try await Household("Hedy Host", on: server)
      try await host.admit(ada, on: server)
    }
    try await TestServer.run(in: directory) { server in try await becomesUnassigned(on: server) }
  }

  /// Waits until the only member with chores is assigned to none.
  private func becomesUnassigned(on server: TestServer) async throws {
    try await server.rows("SELECT count(*) FROM departed_member", become: 0)
    #expect(try server.rows("SELECT count(*) FROM assignment", columns: 1) == [[0]])
    #expect(try server.rows("SELECT count(*) FROM chore WHERE length(assignees) > 0", columns: 1) == [[0]])
  }
}
