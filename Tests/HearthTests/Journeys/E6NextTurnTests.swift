import Storage
import Testing

@testable import Hearth

/// The clock begins on Saturday, 21 November 2026, at 08:00 UTC.
@Suite("E6: the next turn after a change of a chore")
struct E6NextTurnTests {
  private static let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)

  /// A turn reads the reminders of all chores of the family, so that a change must not cause one without need.
  @Test func `a change of the due time causes no turn before the next period`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let midnight = server.clock.clock.now() + 16 * Self.hour
      try await family.add("Feed the cat", "DAILY", ["dueAt": "2026-11-21T18:00:00Z"])
      #expect(try await turn(after: "due_at = due_at + 60000", on: server) == midnight)
      let early: Value = ["dueAt": "2026-11-21T19:00:00Z", "remindAt": ["2026-11-21T18:00:00Z"]]
      try await family.add("Walk the dog", "DAILY", early)
      #expect(try await turn(after: "due_at = due_at + 60000", on: server) == midnight)
    }
  }

  /// From 1 December 2026 on.
  @Test func `a change of the frequency causes a turn when the next early reminder is due`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let times: Value = ["dueAt": "2026-12-01T06:00:00Z", "remindAt": ["2026-11-30T19:00:00Z"]]
      try await family.add("Pay the rent", "ONCE", times)
      server.clock.advance(days: 10)
      let newYear = server.clock.clock.now() + 30 * Self.day + 16 * Self.hour
      let monthly = "frequency = \(Frequency.monthly.stored)"
      #expect(try await turn(after: monthly, on: server) == newYear - 5 * Self.hour)
    }
  }

  /// The next turn of the only family after a change of its newest chore, before a turn can follow.
  private func turn(after change: String, on server: TestServer) async throws -> Int64? {
    let chores = try server.rows("SELECT family_id, id FROM chore ORDER BY id DESC LIMIT 1", columns: 2)
    let newest = try #require(chores.first)
    let (family, chore) = (GlobalID(rawValue: newest[0]), GlobalID(rawValue: newest[1]))
    let (now, turns) = (server.clock.clock.now(), server.services.turns)
    return try await server.services.database.write { transaction in
      let before = try #require(try Repetition.State(chore, of: family, from: transaction.reader))
      let text = "UPDATE chore SET \(change) WHERE id = \(chore.rawValue)"
      try transaction.statement(WrittenOnce.sql(text)).run()
      let write = DatedWrite(at: Timestamp(now), in: transaction).inFamily(family)
      try Repetition.update(chore, from: before, restarts: false, turns: turns, in: write)
      return try transaction.reader.first(of: PeriodTurn.earliest, ()) { row in row.int64(0) }
    }
  }
}
