import Testing

@testable import Hearth

@Suite("E6: reminders of chores that repeat, over several periods", .timeLimit(.minutes(10)))
struct E6ReminderDayTests {
  private static let (hour, day): (Int64, Int64) = (3_600, 86_400)

  /// A chore, the time zones to which its family moves, and the reminder of its next occurrences, each with the seconds
  /// until it is copied.
  struct Series: Sendable, CustomTestStringConvertible {
    let name: String
    var timeZone = "Europe/Berlin"
    let frequency: String
    /// The seconds from 21 November 2026 at 08:00 UTC.
    let start: Int64
    let times: Value
    var moves: [String] = []
    /// The number of occurrences that are copied before the moves.
    var copiesBefore = 0
    let copies: [(seconds: Int64, remindAt: Value)]

    var testDescription: String { name }
  }

  private func check(_ series: Series) async throws {
    try await RepeatingChores.run(startingLater: series.start) { server in
      let family = try await RepeatingChores(on: server, timeZone: series.timeZone)
      try await family.add("Take the bins out", series.frequency, series.times)
      for (index, copy) in series.copies.enumerated() {
        if index == series.copiesBefore { for timeZone in series.moves { try await family.move(to: timeZone) } }
        server.clock.advance(seconds: copy.seconds)
        let found = try await family.occurrences(of: "bins", whenThereAre: index + 2)
        #expect(found.count == index + 2)
        #expect(found.first?["reminders.0.remindAt"] == copy.remindAt)
      }
    }
  }

  @Test(arguments: [
    // The reminder is at nine on the 25th, and summer time begins on the 28th, before the due time.
    Series(
      name: "monthly, from UTC to Berlin",
      timeZone: "UTC",
      frequency: "MONTHLY",
      start: 109 * day,
      times: ["dueAt": "2027-03-31T18:00:00Z", "remindAt": ["2027-03-25T09:00:00Z"]],
      moves: ["Europe/Berlin"],
      copies: [
        (21 * day + 14 * hour, "2027-04-24T07:00:00Z"), (30 * day, "2027-05-25T07:00:00Z"),
        (31 * day, "2027-06-24T07:00:00Z"),
      ]
    ),
    Series(
      name: "monthly, from Berlin to New York",
      frequency: "MONTHLY",
      start: 109 * day,
      times: ["dueAt": "2027-03-31T16:00:00Z", "remindAt": ["2027-03-25T08:00:00Z"]],
      moves: ["America/New_York"],
      copies: [
        (21 * day + 20 * hour, "2027-04-24T13:00:00Z"), (30 * day, "2027-05-25T13:00:00Z"),
        (31 * day, "2027-06-24T13:00:00Z"),
      ]
    ),
    Series(
      name: "monthly, from Berlin to New York, and on to UTC",
      frequency: "MONTHLY",
      start: 109 * day,
      times: ["dueAt": "2027-03-31T16:00:00Z", "remindAt": ["2027-03-25T08:00:00Z"]],
      moves: ["America/New_York", "UTC"],
      copies: [(21 * day + 16 * hour, "2027-04-24T09:00:00Z"), (30 * day, "2027-05-25T09:00:00Z")]
    ),
    // Saturday at six.
    Series(
      name: "weekly, from UTC to Berlin",
      timeZone: "UTC",
      frequency: "WEEKLY",
      start: 124 * day,
      times: ["dueAt": "2027-03-28T18:00:00Z", "remindAt": ["2027-03-27T18:00:00Z"]],
      moves: ["Europe/Berlin"],
      copies: [
        (3 * day + 14 * hour, "2027-04-03T16:00:00Z"), (7 * day, "2027-04-10T16:00:00Z"),
        (7 * day, "2027-04-17T16:00:00Z"),
      ]
    ),
    // Summer time ends between the reminder, at nine on the 30th, and the due time.
    Series(
      name: "monthly, from Berlin to São Paulo",
      frequency: "MONTHLY",
      start: 323 * day,
      times: ["dueAt": "2027-10-31T17:00:00Z", "remindAt": ["2027-10-30T07:00:00Z"]],
      moves: ["America/Sao_Paulo"],
      copies: [(21 * day + 19 * hour, "2027-11-29T12:00:00Z"), (30 * day, "2027-12-30T12:00:00Z")]
    ),
    // Half an hour after midnight on the 1st, after the period.
    Series(
      name: "monthly, from Berlin to Kiritimati",
      frequency: "MONTHLY",
      start: 109 * day,
      times: ["dueAt": "2027-03-25T01:00:00Z", "remindAt": ["2027-03-31T22:30:00Z"]],
      moves: ["Pacific/Kiritimati"],
      copies: [
        (21 * day + 2 * hour, "2027-03-31T10:30:00Z"), (30 * day, "2027-04-30T10:30:00Z"),
        (31 * day, "2027-05-31T10:30:00Z"),
      ]
    ),
    // At eight on the evening before.
    Series(
      name: "daily, from Los Angeles to Sydney",
      timeZone: "America/Los_Angeles",
      frequency: "DAILY",
      start: 0,
      times: ["dueAt": "2026-11-22T16:00:00Z", "remindAt": ["2026-11-22T04:00:00Z"]],
      moves: ["Australia/Sydney"],
      copies: [
        (25 * hour, "2026-11-22T09:00:00Z"), (day, "2026-11-23T09:00:00Z"), (day, "2026-11-24T09:00:00Z"),
      ]
    ),
    // At half past two, which clocks skip on the 28th in Berlin.
    Series(
      name: "daily, from Berlin to UTC, on a day on which clocks skip the time",
      frequency: "DAILY",
      start: 125 * day,
      times: ["remindAt": ["2027-03-27T01:30:00Z"]],
      moves: ["UTC"],
      copiesBefore: 1,
      copies: [
        (39 * hour, "2027-03-28T01:30:00Z"), (25 * hour, "2027-03-29T02:30:00Z"), (day, "2027-03-30T02:30:00Z"),
      ]
    ),
    Series(
      name: "daily, from Berlin to Vienna, on a day on which clocks skip the time",
      frequency: "DAILY",
      start: 125 * day,
      times: ["dueAt": "2027-03-27T07:00:00Z", "remindAt": ["2027-03-27T01:30:00Z"]],
      moves: ["Europe/Vienna"],
      copiesBefore: 1,
      copies: [(39 * hour, "2027-03-28T01:30:00Z"), (23 * hour, "2027-03-29T00:30:00Z")]
    ),
  ])
  func `a reminder keeps its day and its time of day when the family moves to another time zone`(series: Series)
    async throws
  {
    try await check(series)
  }

  @Test(arguments: [
    Series(
      name: "on the 2nd",
      frequency: "MONTHLY",
      start: 50 * day,
      times: ["dueAt": "2027-01-31T17:00:00Z", "remindAt": ["2027-02-02T08:00:00Z"]],
      copies: [
        (21 * day + 15 * hour, "2027-02-02T08:00:00Z"), (28 * day, "2027-03-02T08:00:00Z"),
        (31 * day - hour, "2027-04-02T07:00:00Z"), (30 * day, "2027-05-02T07:00:00Z"),
      ]
    ),
    // The last day in February.
    Series(
      name: "on the 30th",
      timeZone: "UTC",
      frequency: "MONTHLY",
      start: 20 * day,
      times: ["dueAt": "2026-12-31T18:00:00Z", "remindAt": ["2027-01-30T09:00:00Z"]],
      copies: [
        (20 * day + 16 * hour, "2027-01-30T09:00:00Z"), (31 * day, "2027-02-28T09:00:00Z"),
        (28 * day, "2027-03-30T09:00:00Z"), (31 * day, "2027-04-30T09:00:00Z"),
      ]
    ),
    // Clocks skip midnight on 12 March 2028.
    Series(
      name: "on the 12th, at midnight in Havana",
      timeZone: "America/Havana",
      frequency: "MONTHLY",
      start: 374 * day,
      times: ["dueAt": "2027-12-30T05:15:00Z", "remindAt": ["2028-01-12T05:00:00Z"]],
      copies: [
        (31 * day + 21 * hour, "2028-01-12T05:00:00Z"), (31 * day, "2028-02-12T05:00:00Z"),
        (29 * day, "2028-03-12T05:00:00Z"), (31 * day - hour, "2028-04-12T04:00:00Z"),
      ]
    ),
  ])
  func `a reminder after the month of a chore that is due at its end keeps its day`(series: Series) async throws {
    try await check(series)
  }
}
