import Testing

@testable import Hearth

/// The clock begins on 26 March 2027 at 08:00 UTC for Berlin and Nuuk, where summer time begins on the 28th. It begins
/// earlier for New York, where summer time begins on 14 March, and later for Cairo, where clocks skip the first hour of
/// 30 April. In Nuuk they skip the last hour of 27 March.
@Suite("E6: reminders of chores that repeat when summer time begins", .timeLimit(.minutes(10)))
struct E6ClockChangeTests {
  private static let (hour, day): (Int64, Int64) = (3_600, 86_400)

  /// A chore, and its next occurrences: the seconds until each is copied, its due time and its reminder.
  struct Change: Sendable, CustomTestStringConvertible {
    var timeZone = "Europe/Berlin"
    var frequency = "DAILY"
    var start = 125 * E6ClockChangeTests.day
    let name: String
    let times: Value
    /// At the start of 28 March in Berlin, and of the 29th.
    var copied = [39 * E6ClockChangeTests.hour, 23 * E6ClockChangeTests.hour]
    let dueAt: [Value]
    let remindAt: [Value]

    var testDescription: String { name }
  }

  @Test(arguments: [
    Change(
      name: "daily at midnight",
      times: ["dueAt": "2027-03-27T07:00:00Z", "remindAt": ["2027-03-26T23:00:00Z"]],
      dueAt: ["2027-03-28T06:00:00Z", "2027-03-29T06:00:00Z"],
      remindAt: ["2027-03-27T23:00:00Z", "2027-03-28T22:00:00Z"]
    ),
    Change(
      timeZone: "America/New_York",
      start: 111 * day,
      name: "daily at ten past midnight",
      times: ["dueAt": "2027-03-14T04:50:00Z", "remindAt": ["2027-03-13T05:10:00Z"]],
      copied: [45 * hour, 23 * hour],
      dueAt: ["2027-03-15T03:50:00Z", "2027-03-16T03:50:00Z"],
      remindAt: ["2027-03-14T05:10:00Z", "2027-03-15T04:10:00Z"]
    ),
    Change(
      frequency: "WEEKLY",
      name: "weekly, from the day of the change on",
      times: ["dueAt": "2027-03-28T16:00:00Z", "remindAt": ["2027-03-27T23:00:00Z"]],
      copied: [62 * hour, 7 * day],
      dueAt: ["2027-04-04T16:00:00Z", "2027-04-11T16:00:00Z"],
      remindAt: ["2027-04-03T22:00:00Z", "2027-04-10T22:00:00Z"]
    ),
    Change(
      name: "with a due time that clocks skip",
      times: ["dueAt": "2027-03-27T01:30:00Z", "remindAt": ["2027-03-27T01:15:00Z"]],
      dueAt: ["2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z"],
      remindAt: ["2027-03-28T01:15:00Z", "2027-03-29T00:15:00Z"]
    ),
    Change(
      name: "on the evening of a due time that clocks skip",
      times: ["dueAt": "2027-03-27T01:30:00Z", "remindAt": ["2027-03-27T22:15:00Z"]],
      dueAt: ["2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z"],
      remindAt: ["2027-03-28T21:15:00Z", "2027-03-29T21:15:00Z"]
    ),
    Change(
      timeZone: "Africa/Cairo",
      start: 158 * day,
      name: "at nine on a day whose start clocks skip, when the chore is due",
      times: ["dueAt": "2027-04-28T22:00:00Z", "remindAt": ["2027-04-29T07:00:00Z"]],
      copied: [38 * hour, 23 * hour, day],
      dueAt: ["2027-04-29T22:00:00Z", "2027-04-30T21:00:00Z", "2027-05-01T21:00:00Z"],
      remindAt: ["2027-04-30T06:00:00Z", "2027-05-01T06:00:00Z", "2027-05-02T06:00:00Z"]
    ),
    Change(
      timeZone: "Africa/Cairo",
      start: 158 * day,
      name: "at 23:00 on a day whose start clocks skip, when the chore is due",
      times: ["dueAt": "2027-04-28T22:00:00Z", "remindAt": ["2027-04-29T21:00:00Z"]],
      copied: [38 * hour, 23 * hour, day],
      dueAt: ["2027-04-29T22:00:00Z", "2027-04-30T21:00:00Z", "2027-05-01T21:00:00Z"],
      remindAt: ["2027-04-30T20:00:00Z", "2027-05-01T20:00:00Z", "2027-05-02T20:00:00Z"]
    ),
    Change(
      timeZone: "America/Nuuk",
      name: "at 20:00 on a day whose end clocks skip, when the chore is due",
      times: ["dueAt": "2027-03-27T01:30:00Z", "remindAt": ["2027-03-26T22:00:00Z"]],
      copied: [18 * hour, 23 * hour, day],
      dueAt: ["2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z", "2027-03-30T00:30:00Z"],
      remindAt: ["2027-03-27T22:00:00Z", "2027-03-28T21:00:00Z", "2027-03-29T21:00:00Z"]
    ),
    Change(
      timeZone: "America/Nuuk",
      name: "at the end of a day, which clocks skip, without a due time",
      times: ["remindAt": ["2027-03-27T01:00:00Z"]],
      copied: [18 * hour, 23 * hour, day],
      dueAt: [.null, .null, .null],
      remindAt: ["2027-03-28T01:00:00Z", "2027-03-29T00:00:00Z", "2027-03-30T00:00:00Z"]
    ),
    Change(
      timeZone: "America/Nuuk",
      frequency: "WEEKLY",
      start: 111 * day,
      name: "weekly at 20:00 on a day whose end clocks skip, when the chore is due",
      times: ["dueAt": "2027-03-14T01:59:00Z", "remindAt": ["2027-03-13T22:00:00Z"]],
      copied: [66 * hour, 7 * day, 7 * day - hour, 7 * day],
      dueAt: ["2027-03-21T01:59:00Z", "2027-03-28T01:59:00Z", "2027-04-04T00:59:00Z", "2027-04-11T00:59:00Z"],
      remindAt: ["2027-03-20T22:00:00Z", "2027-03-27T22:00:00Z", "2027-04-03T21:00:00Z", "2027-04-10T21:00:00Z"]
    ),
    Change(
      timeZone: "America/Nuuk",
      frequency: "WEEKLY",
      start: 111 * day,
      name: "weekly at the end of a day, which clocks skip, without a due time",
      times: ["remindAt": ["2027-03-14T01:59:00Z"]],
      copied: [66 * hour, 7 * day, 7 * day - hour, 7 * day],
      dueAt: [.null, .null, .null, .null],
      remindAt: ["2027-03-21T01:59:00Z", "2027-03-28T01:59:00Z", "2027-04-04T00:59:00Z", "2027-04-11T00:59:00Z"]
    ),
    Change(
      name: "at a time that clocks skip, with a due time",
      times: ["dueAt": "2027-03-27T07:00:00Z", "remindAt": ["2027-03-27T01:30:00Z"]],
      dueAt: ["2027-03-28T06:00:00Z", "2027-03-29T06:00:00Z"],
      remindAt: ["2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z"]
    ),
    Change(
      name: "at a time that clocks skip, without a due time",
      times: ["remindAt": ["2027-03-27T01:30:00Z"]],
      dueAt: [.null, .null],
      remindAt: ["2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z"]
    ),
  ])
  func `a reminder keeps its day and its time of day`(change: Change) async throws {
    try await RepeatingChores.run(startingLater: change.start) { server in
      let family = try await RepeatingChores(on: server, timeZone: change.timeZone)
      try await family.add("Feed the cat", change.frequency, change.times)
      for (index, seconds) in change.copied.enumerated() {
        server.clock.advance(seconds: seconds)
        let found = try await family.occurrences(of: "cat", whenThereAre: index + 2)
        #expect(found.count == index + 2)
        #expect(found.first?["dueAt"] == change.dueAt[index])
        #expect(found.first?["reminders.0.remindAt"] == change.remindAt[index])
      }
    }
  }

  @Test func `a reminder at a time that clocks skip keeps its time of day if it is snoozed on that day`() async throws {
    try await RepeatingChores.run(startingLater: 125 * Self.day) { server in
      let family = try await RepeatingChores(on: server, timeZone: "Europe/Berlin")
      try await family.add("Feed the cat", "DAILY", ["remindAt": ["2027-03-27T01:30:00Z"]])
      // At the start of 28 March in Berlin.
      server.clock.advance(seconds: 39 * Self.hour)
      let skipped = try await family.occurrences(of: "cat", whenThereAre: 2)
      #expect(skipped.first?["reminders.0.remindAt"] == "2027-03-28T01:30:00Z")
      let listed = try await family.client.ask("{ family { reminders(status: [SCHEDULED]) { nodes { id } } } }")
      let reminder = try #require(listed["data.family.reminders.nodes"].list.last)
      for _ in 0..<2 {
        let answer: Value = ["input": ["id": reminder["id"], "answer": "SNOOZE_10_MINUTES"]]
        let snoozed = try await family.client.perform(Documents.answerReminder, answer)
        #expect(snoozed["reminder.remindAt"] == "2027-03-28T01:40:00Z")
      }
      server.clock.advance(seconds: 23 * Self.hour)
      let next = try await family.occurrences(of: "cat", whenThereAre: 3)
      #expect(next.first?["reminders.0.remindAt"] == "2027-03-29T00:30:00Z")
    }
  }
}
