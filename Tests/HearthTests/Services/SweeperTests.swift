import GraphQLTransport
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("Expired data is deleted")
struct SweeperTests {
  private static let count = """
    SELECT (SELECT count(*) FROM session), (SELECT count(*) FROM one_time_token), (SELECT count(*) FROM mail)
    """

  @Test func `a month after its time, at the next start or within the hour`() async throws {
    let directory = try TemporaryDirectory()
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      // More than go at once.
      let cloning = SQL<[Int64]>(
        """
        INSERT INTO session (id, family_id, member_id, device, created_at, last_used_at, expires_at, refresh_hash) \
        SELECT s.id + k.value * 1000000, family_id, member_id, device, created_at, last_used_at, expires_at, refresh_hash \
        FROM \(table: \.self) AS k \(join: .asWritten) session AS s ON true
        """
      )
      try await server.services.database.write { transaction in
        try transaction.run(cloning, Array(1...1_200))
      }
      _ = try await server.mails()
      _ = try await ada.parent.ask(Documents.signInCode, ["id": .string(try await ada.addChild("Mia"))])
      _ = try await server.mails()
      let before = try server.rows(Self.count, columns: 3)
      #expect(before[0][0] == 1_201 && before[0][1] == 2 && before[0][2] >= 1)
    }
    try await TestServer.run(in: directory, startingLater: (180 + 29) * 86_400) { server in
      try await Self.untilAtRest(server)
      let rows = try server.rows(Self.count, columns: 3)
      #expect(rows[0][0] == 1_201 && rows[0][1] == 0 && rows[0][2] == 0)
    }
    try await TestServer.run(in: directory, startingLater: (180 + 31) * 86_400) { server in
      try await Self.untilAtRest(server)
      #expect(try server.rows(Self.count, columns: 3) == [[0, 0, 0]])
    }
  }

  private static func untilAtRest(_ server: TestServer) async throws {
    await server.clock.whenSomebodySleeps(until: server.clock.clock.now() + 3_600_000)
  }
}

@Suite("The list of ended sessions")
struct EndedSessionsTests {
  private func session(_ number: Int64) -> GlobalID { GlobalID(.session, number: number) }

  @Test func `notifies each loop of what is new to it`() {
    let ended = EndedSessions(kept: 1_000, clock: TestClock().clock)
    var seen = 0
    guard case .none = ended.changes(since: &seen) else { return #expect(Bool(false)) }
    ended.note([session(1), session(2)], change: .ended)
    guard case .sessions(let first) = ended.changes(since: &seen) else { return #expect(Bool(false)) }
    #expect(first == [session(1), session(2)])
    guard case .none = ended.changes(since: &seen) else { return #expect(Bool(false)) }
    ended.note([session(3)], change: .ended)
    guard case .sessions(let second) = ended.changes(since: &seen) else { return #expect(Bool(false)) }
    #expect(second == [session(3)])
  }

  @Test func `forgets what no token can be of any more, and a loop that slept meanwhile forgets all it knows`() {
    let clock = TestClock()
    let ended = EndedSessions(kept: 10_000, clock: clock.clock)
    var (awake, asleep) = (0, 0)
    for number in 0..<10_000 as Range<Int64> {
      ended.note([session(number)], change: .ended)
      clock.advance(seconds: 1)
      guard case .sessions(let new) = ended.changes(since: &awake) else { return #expect(Bool(false)) }
      #expect(new == [session(number)])
    }
    #expect(ended.keptCount < 100)
    guard case .all = ended.changes(since: &asleep) else { return #expect(Bool(false)) }
    guard case .none = ended.changes(since: &asleep) else { return #expect(Bool(false)) }
  }
}
