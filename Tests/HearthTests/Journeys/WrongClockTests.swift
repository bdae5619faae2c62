import TestSupport
import Testing

@testable import Hearth

@Suite("A clock that was wrong for some time carries out nothing that cannot be undone", .timeLimit(.minutes(10)))
struct WrongClockTests {
  private static let settlingTime = 15 * Milliseconds.minute
  private static let erasedChildren = "SELECT count(*) FROM child WHERE erased_at IS NOT NULL"

  /// A server with a clock that is settled after fifteen minutes, and tokens that last as long as these stories do.
  private static func run(
    in directory: TemporaryDirectory? = nil,
    startingLater seconds: Int64 = 0,
    log: RecordedLog = RecordedLog(),
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let clock = TestClock(settlingTime: settlingTime)
    try await TestServer.run(
      in: directory,
      startingLater: seconds,
      clock: clock,
      log: log.logger,
      configure: { $0.accessTokenLifetime = 400 * 86_400 },
      body
    )
  }

  private static func settle(_ server: TestServer) {
    server.clock.advance(seconds: settlingTime / 1_000)
  }

  private static func wait(for text: String, in log: RecordedLog) async {
    while !log.messages.contains(where: { $0.contains(text) }) { await Task.yield() }
  }

  @Test func `a child that was deleted is not erased by a clock that is ahead for seconds, and later when it is due`()
    async throws
  {
    let log = RecordedLog()
    try await Self.run(log: log) { server in
      let ada = try await Household(on: server)
      let (mia, ben) = (try await ada.addChild("Mia", username: "mia"), try await ada.addChild("Ben", username: "ben"))
      Self.settle(server)
      for child in [mia, ben] { #expect(try await ada.deleteChild(child).userErrors == []) }
      server.clock.set(forwardByDays: 31)
      await Self.wait(for: "The clock was set forward.", in: log)
      // All that waits has looked at the clock, and looks again when it can be settled.
      await server.clock.whenSomebodySleeps(until: server.clock.clock.now() + Self.settlingTime)
      server.clock.advance(seconds: 4)
      server.clock.set(forwardByDays: -31)
      await Self.wait(for: "The clock was set back.", in: log)
      Self.settle(server)
      await Self.wait(for: "The clock was not set again", in: log)
      #expect(try server.rows(Self.erasedChildren, columns: 1) == [[0]])
      #expect(try await ada.parent.perform(Documents.restoreChild, ["id": .string(mia)]).userErrors == [])
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
      #expect(log.messages.count { $0.hasPrefix("The clock was set") } == 2)
      #expect(log.messages.contains { $0.contains("set forward") && $0.contains("\(31 * 86_400)") })
    }
  }

  @Test func `a parent whose removal was requested while the clock was behind can object for seven days`()
    async throws
  {
    try await Self.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      // The inviter cannot remove her at once any more.
      server.clock.advance(seconds: 25 * 3_600)
      let requested = try await ada.requestRemoval(of: grace)
      #expect(requested["removal.effectiveAt"] == "2026-11-29T09:00:00Z")
      let effectiveAt = server.clock.clock.now() + 7 * Milliseconds.day
      server.clock.set(forwardByDays: 20)
      await server.clock.whenSomebodySleeps(until: server.clock.clock.now() + Self.settlingTime)
      Self.settle(server)
      let moved = effectiveAt + 20 * Milliseconds.day
      try await server.rows("SELECT effective_at FROM parent_removal", become: moved)
      let shown = try await grace.parent.ask(Documents.parents)["data.family.parentRemoval"]
      #expect(shown["requestedAt"] == "2026-12-12T09:00:00Z" && shown["effectiveAt"] == "2026-12-19T09:00:00Z")
      #expect(try await ada.parents() == ["Ada Lovelace", "Grace Hopper"])
      let id = try #require(requested["removal.id"].string)
      #expect(try await grace.parent.perform(Documents.objectToRemoval, ["id": .string(id)]).userErrors == [])
    }
  }

  @Test func `accounts that were deleted while the clock was behind can return for thirty days`() async throws {
    let log = RecordedLog()
    try await Self.run(log: log) { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      _ = try await ada.deleteChild(mia)
      _ = try await grace.deleteAccount()
      server.clock.set(forwardByDays: 40)
      await Self.wait(for: "The clock was set forward.", in: log)
      Self.settle(server)
      await Self.wait(for: "Deadlines that were set before the clock was set forward are moved.", in: log)
      server.clock.advance(days: 29)
      let child = try await ada.parent.perform(Documents.restoreChild, ["id": .string(mia)])
      #expect(child.userErrors == [] && child["child.removedAt"] == .null)
      #expect(try await grace.reactivate(on: server).userErrors == [])
      _ = try await ada.deleteChild(mia)
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
    }
  }

  @Test func `sessions are not swept by a clock that is ahead for seconds`() async throws {
    let log = RecordedLog()
    try await Self.run(log: log) { server in
      let ada = try await Household(on: server)
      Self.settle(server)
      server.clock.set(forwardByDays: 240)
      await Self.wait(for: "The clock was set forward.", in: log)
      await server.clock.whenSomebodySleeps(until: server.clock.clock.now() + Self.settlingTime)
      server.clock.set(forwardByDays: -240)
      await Self.wait(for: "The clock was set back.", in: log)
      Self.settle(server)
      await Self.wait(for: "The clock was not set again", in: log)
      #expect(try server.rows("SELECT count(*) FROM session", columns: 1) == [[1]])
      #expect(try await ada.parents() == ["Ada Lovelace"])
    }
  }

  @Test func `what an operator erases at once does not wait until the clock is settled`() async throws {
    let directory = try TemporaryDirectory()
    try await Self.run(in: directory) { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let (mia, ben) = (try await ada.addChild("Mia", username: "mia"), try await ada.addChild("Ben", username: "ben"))
      for child in [mia, ben] { #expect(try await ada.deleteChild(child).userErrors == []) }
      for account in [grace.email, mia] {
        let result = try await Program(["account", "delete", account, "--now", "--data", directory.path]).result()
        #expect(result.status == 0, "\(result)")
      }
      try await server.erasures(become: 2)
    }
    // The erasure of the other child was due while the server was down.
    try await Self.run(in: directory, startingLater: 32 * 86_400) { server in
      await server.clock.whenSomebodySleeps(until: server.clock.clock.now() + Self.settlingTime)
      #expect(try server.rows(Self.erasedChildren, columns: 1) == [[1]])
      Self.settle(server)
      try await server.rows(Self.erasedChildren, become: 2)
    }
  }

  @Test func `an erasure that is repeated after a restore does not wait until the clock is settled`() async throws {
    let directory = try TemporaryDirectory()
    let backup = try DataBackup(of: directory.path)
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      try await backup.make()
      _ = try await ada.deleteChild(mia)
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
    }
    try await backup.restore()
    try await Self.run(in: directory, startingLater: 40 * 86_400) { server in
      try await server.rows(Self.erasedChildren, become: 1)
    }
  }
}
