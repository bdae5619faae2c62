import Testing

@testable import Hearth

/// The clock begins on Saturday, 21 November 2026, at 08:00 UTC.
@Suite("E6: chores that repeat, after the clock was ahead")
struct E6ClockAheadTests {
  private static let hour: Int64 = 3_600

  @Test func `after a clock was days ahead, daily chores continue from today, with today's reminder`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let times: Value = ["dueAt": "2026-11-21T20:00:00Z", "remindAt": ["2026-11-21T18:00:00Z"]]
      try await family.add("Feed the cat", "DAILY", times)
      server.clock.advance(days: 10)
      #expect(try await family.occurrences(of: "cat", whenThereAre: 2).first?["period"] == "2026-12-01")
      server.clock.advance(days: 1)
      #expect(try await family.occurrences(of: "cat", whenThereAre: 3).first?["period"] == "2026-12-02")
      server.clock.advance(days: -11)
      var found = try await family.occurrences(of: "cat") { $0.last?["status"] == "OPEN" }
      #expect(found.map { $0["status"] } == ["ARCHIVED", "ARCHIVED", "OPEN"])
      #expect(found.last?["period"] == "2026-11-21")
      #expect(found.last?["reminders.0.status"] == "SCHEDULED")
      server.clock.advance(seconds: 10 * Self.hour)
      found = try await family.occurrences(of: "cat") { $0.last?["reminders.0.status"] == "DUE" }
      #expect(found.last?["reminders.0.status"] == "DUE")
      server.clock.advance(seconds: 6 * Self.hour)
      #expect(try await family.occurrences(of: "cat", whenThereAre: 4).contains { $0["period"] == "2026-11-22" })
      // The periods of the wrong copies.
      for (days, count, period) in [(9, 5, "2026-12-01"), (1, 6, "2026-12-02")] as [(Int64, Int, Value)] {
        server.clock.advance(days: days)
        let open = try await family.occurrences(of: "cat", whenThereAre: count).filter { $0["status"] == "OPEN" }
        #expect(open.map { $0["period"] } == [period])
      }
    }
  }
}
