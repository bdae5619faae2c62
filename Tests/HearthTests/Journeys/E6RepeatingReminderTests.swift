import Storage
import TestSupport
import Testing

@testable import Hearth

/// The clock begins on Saturday, 21 November 2026, at 08:00 UTC.
@Suite("E6: reminders of chores that repeat", .timeLimit(.minutes(10)))
struct E6RepeatingReminderTests {
  private static let (hour, day): (Int64, Int64) = (3_600, 86_400)
  private static let toMidnight = 16 * hour

  /// Reminders of the occurrences, the newest first, which have one each.
  private func reminders(_ occurrences: [Value]) -> [Value] { occurrences.map { $0["reminders.0.remindAt"] } }

  // MARK: Without a due time

  @Test func `a reminder that is set in the evening for the next morning rings each morning`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Make the bed", "DAILY", ["remindAt": ["2026-11-22T07:00:00Z"]])
      server.clock.advance(seconds: Self.toMidnight)
      var found = try await family.occurrences(of: "bed", whenThereAre: 2)
      #expect(reminders(found) == ["2026-11-22T07:00:00Z", "2026-11-22T07:00:00Z"])
      #expect(found.map { $0["reminders.0.status"] } == ["SCHEDULED", "IGNORED"])
      for number in 2...3 {
        server.clock.advance(seconds: 7 * Self.hour)
        found = try await family.occurrences(of: "bed") { $0.first?["reminders.0.status"] == "DUE" }
        #expect(found.first?["reminders.0.status"] == "DUE")
        #expect(try await family.household.news().count == number - 1)
        server.clock.advance(seconds: 17 * Self.hour)
        found = try await family.occurrences(of: "bed", whenThereAre: number + 1)
      }
      #expect(reminders(found).first == "2026-11-24T07:00:00Z")
    }
  }

  @Test(arguments: [
    (
      "WEEKLY", "2026-11-23T08:00:00Z", [1, 7] as [Int64],
      ["2026-11-30T08:00:00Z", "2026-11-23T08:00:00Z", "2026-11-23T08:00:00Z"] as [Value]
    ),
    (
      "MONTHLY", "2026-12-01T09:00:00Z", [9, 31],
      ["2027-01-01T09:00:00Z", "2026-12-01T09:00:00Z", "2026-12-01T09:00:00Z"]
    ),
    (
      "MONTHLY", "2026-12-31T09:00:00Z", [9, 31, 31, 28],
      [
        "2027-03-31T09:00:00Z", "2027-02-28T09:00:00Z", "2027-01-31T09:00:00Z", "2026-12-31T09:00:00Z",
        "2026-12-31T09:00:00Z",
      ]
    ),
  ])
  func `a reminder after the first period is one of the next`(
    frequency: String,
    remindAt: String,
    days: [Int64],
    expected: [Value]
  ) async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Tidy up", frequency, ["remindAt": [.string(remindAt)]])
      server.clock.advance(seconds: Self.toMidnight)
      for (index, count) in days.enumerated() {
        server.clock.advance(days: count)
        _ = try await family.occurrences(of: "Tidy", whenThereAre: index + 2)
      }
      #expect(reminders(try await family.occurrences(of: "Tidy")) == expected)
    }
  }

  /// From Wednesday on.
  @Test(arguments: [(Int64(1), "2026-11-27T09:00:00Z" as Value), (3, "2026-11-29T09:00:00Z")])
  func `the reminder of a weekly chore that becomes a daily one keeps its time of day`(days: Int64, expected: Value)
    async throws
  {
    try await RepeatingChores.run(startingLater: 4 * Self.day) { server in
      let family = try await RepeatingChores(on: server)
      let chore = try await family.add("Water the plants", "WEEKLY", ["remindAt": ["2026-11-25T09:00:00Z"]])
      server.clock.advance(days: days)
      #expect(try await family.update(chore, ["frequency": "DAILY"]).userErrors.isEmpty)
      server.clock.advance(seconds: Self.toMidnight)
      let found = try await family.occurrences(of: "plants", whenThereAre: 2)
      #expect(reminders(found) == [expected, "2026-11-25T09:00:00Z"])
      #expect(found.first?["reminders.0.status"] == "SCHEDULED")
    }
  }

  /// From 11 March 2027 on.
  @Test func `the 31st is the 31st again after a shorter month, even if it was snoozed beyond its end`() async throws {
    try await RepeatingChores.run(startingLater: 110 * Self.day) { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Sort the books", "MONTHLY", ["remindAt": ["2027-03-31T06:00:00Z"]])
      server.clock.advance(seconds: 20 * Self.day + Self.toMidnight)
      #expect(
        reminders(try await family.occurrences(of: "books", whenThereAre: 2)).first == "2027-04-30T06:00:00Z"
      )
      server.clock.advance(seconds: 29 * Self.day + 7 * Self.hour)
      _ = try await family.occurrences(of: "books") { $0.first?["reminders.0.status"] == "DUE" }
      let due = try await family.client.ask("{ family { reminders(status: [DUE]) { nodes { id } } } }")
      let answer: Value = ["id": due["data.family.reminders.nodes.0.id"], "answer": "SNOOZE_1_DAY"]
      let snoozed = try await family.client.perform(Documents.answerReminder, ["input": answer])
      #expect(snoozed["reminder.remindAt"] == "2027-05-01T07:00:00Z")
      server.clock.advance(seconds: 17 * Self.hour)
      #expect(
        reminders(try await family.occurrences(of: "books", whenThereAre: 3)).first == "2027-05-31T06:00:00Z"
      )
    }
  }

  // MARK: Before the period

  /// A chore with a reminder before its first period, the seconds to that period, those from the start of a period to
  /// the reminder of the next one, and the reminders of three occurrences.
  struct Early: Sendable, CustomTestStringConvertible {
    let frequency: String
    let dueAt: Value
    let toPeriod: Int64
    let toReminder: Int64
    let length: Int64
    let reminders: [Value]

    var testDescription: String { frequency }
  }

  @Test(arguments: [
    Early(
      frequency: "DAILY",
      dueAt: "2026-11-22T07:00:00Z",
      toPeriod: toMidnight,
      toReminder: 20 * hour,
      length: day,
      reminders: ["2026-11-23T20:00:00Z", "2026-11-22T20:00:00Z", "2026-11-21T20:00:00Z"]
    ),
    Early(
      frequency: "WEEKLY",
      dueAt: "2026-11-23T06:00:00Z",
      toPeriod: day + toMidnight,
      toReminder: 6 * day + 19 * hour,
      length: 7 * day,
      reminders: ["2026-12-06T19:00:00Z", "2026-11-29T19:00:00Z", "2026-11-22T19:00:00Z"]
    ),
    Early(
      frequency: "MONTHLY",
      dueAt: "2026-12-01T06:00:00Z",
      toPeriod: 9 * day + toMidnight,
      toReminder: 30 * day + 19 * hour,
      length: 31 * day,
      reminders: ["2027-01-31T19:00:00Z", "2026-12-31T19:00:00Z", "2026-11-30T19:00:00Z"]
    ),
  ])
  func `a reminder before the period is due at its time in each period`(early: Early) async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let times: Value = ["dueAt": early.dueAt, "remindAt": [try #require(early.reminders.last)]]
      try await family.add("Take the bins out", early.frequency, times)
      server.clock.advance(seconds: early.toPeriod)
      let (statuses, choreStatuses): ([Value], [Value]) = (["DUE", "DUE", "IGNORED"], ["OPEN", "OPEN", "ARCHIVED"])
      for count in 2...3 {
        // A second before the reminder.
        server.clock.advance(seconds: early.toReminder - 1)
        let before = try await family.occurrences(of: "bins") { count < 3 || $0.last?["status"] == "ARCHIVED" }
        #expect(reminders(before) == Array(early.reminders.suffix(count - 1)))
        server.clock.advance(seconds: 1)
        let found = try await family.occurrences(of: "bins") {
          $0.count == count && $0.first?["reminders.0.status"] == "DUE"
        }
        #expect(reminders(found) == Array(early.reminders.suffix(count)))
        #expect(found.map { $0["reminders.0.status"] } == Array(statuses.prefix(count)))
        #expect(found.map { $0["status"] } == Array(choreStatuses.prefix(count)))
        server.clock.advance(seconds: early.length - early.toReminder)
      }
    }
  }

  @Test(arguments: ["ONCE", "DAILY"])
  func `a reminder before the period is due at its time if the chore becomes monthly in it`(before: String) async throws
  {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let times: Value = ["dueAt": "2026-12-01T06:00:00Z", "remindAt": ["2026-11-30T19:00:00Z"]]
      let chore = try await family.add("Pay the rent", before, times)
      // One o'clock on 1 December, after the turn of other chores.
      server.clock.advance(seconds: 9 * Self.day + Self.toMidnight + Self.hour)
      let due = try await family.occurrences(of: "rent") { $0.first?["reminders.0.status"] == "DUE" }
      #expect(due.count == 1)
      #expect(try await family.update(chore, ["frequency": "MONTHLY"]).userErrors == [])
      // Seven in the evening on 31 December.
      server.clock.advance(seconds: 30 * Self.day + 18 * Self.hour)
      let found = try await family.occurrences(of: "rent", whenThereAre: 2)
      #expect(reminders(found) == ["2026-12-31T19:00:00Z", "2026-11-30T19:00:00Z"])
    }
  }

  /// February is shorter than January, so the reminder four weeks before its last day is in January.
  @Test(arguments: ["2027-01-31T18:00:00Z", "2027-01-05T18:00:00Z"] as [Value])
  func `a reminder that a shorter month moves before the period is due at its time`(dueAt: Value) async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let times: Value = ["dueAt": dueAt, "remindAt": ["2027-01-03T09:00:00Z"]]
      let chore = try await family.add("Sort the books", "MONTHLY", times)
      // One o'clock on 4 January.
      server.clock.advance(seconds: 43 * Self.day + Self.toMidnight + Self.hour)
      _ = try await family.occurrences(of: "books") { $0.first?["reminders.0.status"] == "DUE" }
      #expect(try await family.update(chore, ["dueAt": "2027-01-31T18:00:00Z"]).userErrors == [])
      // Nine o'clock on 31 January.
      server.clock.advance(seconds: 27 * Self.day + 8 * Self.hour)
      let found = try await family.occurrences(of: "books", whenThereAre: 2)
      #expect(reminders(found) == ["2027-01-31T09:00:00Z", "2027-01-03T09:00:00Z"])
    }
  }

  /// From 1 January 2027 on. No other chore causes a turn in January.
  @Test(arguments: [false, true])
  func `a reminder of a new chore that a shorter month moves before the period is due at its time`(isSetLater: Bool)
    async throws
  {
    try await RepeatingChores.run(startingLater: 41 * Self.day) { server in
      let family = try await RepeatingChores(on: server)
      let (dueAt, remindAt): (Value, String) = ("2027-01-31T18:00:00Z", "2027-01-02T09:00:00Z")
      let times: Value = isSetLater ? ["dueAt": dueAt] : ["dueAt": dueAt, "remindAt": [.string(remindAt)]]
      let chore = try await family.add("Sort the books", "MONTHLY", times)
      if isSetLater { _ = try await family.household.setReminder(of: try #require(chore["id"].string), at: remindAt) }
      // Nine o'clock on 30 January.
      server.clock.advance(seconds: 29 * Self.day + Self.hour)
      let found = try await family.occurrences(of: "books") {
        $0.count == 2 && $0.first?["reminders.0.status"] == "DUE"
      }
      #expect(reminders(found) == ["2027-01-30T09:00:00Z", "2027-01-02T09:00:00Z"])
      #expect(found.first?["reminders.0.status"] == "DUE")
    }
  }

  @Test func `a reminder of the evening before the period stays one`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Pack the bag", "DAILY")
      let daily: Value = ["input": ["frequency": "DAILY"]]
      let sunday = try await family.client.perform(Documents.preloadChores, daily)["chores.0.id"]
      _ = try await family.household.setReminder(of: try #require(sunday.string), at: "2026-11-21T20:00:00Z")
      // Two o'clock on Sunday.
      server.clock.advance(seconds: 18 * Self.hour)
      #expect(try await family.client.perform(Documents.preloadChores, daily)["chores.0.period"] == "2026-11-23")
      #expect(reminders(try await family.occurrences(of: "bag")).first == "2026-11-22T20:00:00Z")
    }
  }

  @Test func `reminders keep their time of day when the family moves to another time zone`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Feed the cat", "DAILY", ["remindAt": ["2026-11-21T18:00:00Z"]])
      try await family.add(
        "Walk the dog",
        "DAILY",
        ["dueAt": "2026-11-21T19:00:00Z", "remindAt": ["2026-11-21T18:30:00Z"]]
      )
      try await family.move(to: "America/New_York")
      try await family.move(to: "Europe/Vienna")
      // The current ones do not change.
      #expect(reminders(try await family.occurrences(of: "cat")) == ["2026-11-21T18:00:00Z"])
      #expect(reminders(try await family.occurrences(of: "dog")) == ["2026-11-21T18:30:00Z"])
      // Midnight in Vienna.
      server.clock.advance(seconds: 15 * Self.hour)
      for (number, date) in [(2, "2026-11-22"), (3, "2026-11-23")] {
        let cat = try await family.occurrences(of: "cat", whenThereAre: number)
        #expect(reminders(cat).first == .string("\(date)T17:00:00Z"))
        let dog = try await family.occurrences(of: "dog", whenThereAre: number)
        #expect(reminders(dog).first == .string("\(date)T17:30:00Z"))
        server.clock.advance(days: 1)
      }
    }
  }

  @Test func `reminders keep their time of day when the family joins one of another time zone`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Feed the cat", "DAILY", ["remindAt": ["2026-11-21T18:00:00Z"]])
      let grace = try await Household("Grace Hopper", on: server)
      let moved = try await grace.parent.perform(Documents.updateFamily, ["input": ["timeZone": "Europe/Vienna"]])
      #expect(moved["family.timeZone"] == "Europe/Vienna")
      try await grace.admit(family.household, on: server)
      #expect(reminders(try await family.occurrences(of: "cat")) == ["2026-11-21T18:00:00Z"])
      server.clock.advance(seconds: 15 * Self.hour)
      let cat = try await family.occurrences(of: "cat", whenThereAre: 2)
      #expect(reminders(cat).first == "2026-11-22T17:00:00Z")
    }
  }

  @Test(arguments: ["Asia/Tokyo", "America/New_York"])
  func `after a move, snoozing counts from the reminder's own time, however often`(timeZone: String) async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Feed the cat", "WEEKLY", ["remindAt": ["2026-11-21T18:00:00Z"]])
      try await family.move(to: timeZone)
      let reminder = try await family.client.ask("{ family { reminders { nodes { id remindAt } } } }")
      #expect(reminder["data.family.reminders.nodes.0.remindAt"] == "2026-11-21T18:00:00Z")
      let answer: Value = ["id": reminder["data.family.reminders.nodes.0.id"], "answer": "SNOOZE_1_HOUR"]
      for _ in 0..<2 {
        let snoozed = try await family.client.perform(Documents.answerReminder, ["input": answer])
        #expect(snoozed["reminder.remindAt"] == "2026-11-21T19:00:00Z")
      }
    }
  }

  // MARK: With a due time

  @Test func `a reminder after the due time, for the next morning, rings each morning`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let times: Value = ["dueAt": "2026-11-21T20:00:00Z", "remindAt": ["2026-11-22T07:00:00Z"]]
      try await family.add("Make the bed", "DAILY", times)
      server.clock.advance(seconds: Self.toMidnight)
      for (number, date) in [(2, "2026-11-22"), (3, "2026-11-23")] {
        let found = try await family.occurrences(of: "bed", whenThereAre: number)
        #expect(reminders(found).first == .string("\(date)T07:00:00Z"))
        #expect(found.first?["reminders.0.status"] == "SCHEDULED")
        server.clock.advance(days: 1)
      }
    }
  }

  /// From Tuesday, 23 March 2027 on. Summer time begins on Sunday.
  @Test func `a reminder of the day before keeps its time of day when the clock changes between them`() async throws {
    try await RepeatingChores.run(startingLater: 122 * Self.day) { server in
      let family = try await RepeatingChores(on: server, timeZone: "Europe/Vienna")
      let times: Value = ["dueAt": "2027-03-28T16:00:00Z", "remindAt": ["2027-03-27T17:00:00Z"]]
      try await family.add("Take the bins out", "WEEKLY", times)
      server.clock.advance(seconds: 5 * Self.day + 15 * Self.hour)
      let found = try await family.occurrences(of: "bins", whenThereAre: 2)
      #expect(found.first?["dueAt"] == "2027-04-04T16:00:00Z")
      #expect(reminders(found).first == "2027-04-03T16:00:00Z")
    }
  }

  @Test func `a reminder stays in the period when the due time was moved to an earlier one`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let times: Value = ["dueAt": "2026-11-22T18:00:00Z", "remindAt": ["2026-11-22T17:00:00Z"]]
      try await family.add("Take the bins out", "WEEKLY", times)
      let weekly: Value = ["input": ["frequency": "WEEKLY"]]
      let copy = try await family.client.perform(Documents.preloadChores, weekly)["chores.0"]
      #expect(copy["period"] == "2026-W48")
      #expect(try await family.update(copy, ["dueAt": "2026-11-21T20:00:00Z"]).userErrors == [])
      // The start of the 49th week.
      server.clock.advance(seconds: 8 * Self.day + Self.toMidnight)
      let found = try await family.occurrences(of: "bins", whenThereAre: 3)
      #expect(found.first?["dueAt"] == "2026-12-05T20:00:00Z")
      #expect(reminders(found).first == "2026-12-06T17:00:00Z")
    }
  }

  /// From 10 January 2027 on.
  @Test func `a reminder of the day after the due time is of the same month, if that is shorter too`() async throws {
    try await RepeatingChores.run(startingLater: 50 * Self.day) { server in
      let family = try await RepeatingChores(on: server)
      let times: Value = ["dueAt": "2027-01-30T18:00:00Z", "remindAt": ["2027-01-31T09:00:00Z"]]
      try await family.add("Sort the books", "MONTHLY", times)
      server.clock.advance(seconds: Self.toMidnight)
      for (index, days) in [21, 28, 31, 30].enumerated() {
        server.clock.advance(days: Int64(days))
        _ = try await family.occurrences(of: "books", whenThereAre: index + 2)
      }
      #expect(
        reminders(try await family.occurrences(of: "books")) == [
          "2027-05-31T09:00:00Z", "2027-04-30T09:00:00Z", "2027-03-31T09:00:00Z", "2027-02-28T09:00:00Z",
          "2027-01-31T09:00:00Z",
        ]
      )
    }
  }

  @Test func `a reminder of the day before keeps its time of day when the family moves to another time zone`()
    async throws
  {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let times: Value = ["dueAt": "2026-11-22T18:00:00Z", "remindAt": ["2026-11-21T17:00:00Z"]]
      try await family.add("Take the bins out", "WEEKLY", times)
      try await family.move(to: "Europe/Vienna")
      // Midnight on Sunday in Vienna.
      server.clock.advance(seconds: Self.day + 15 * Self.hour)
      let found = try await family.occurrences(of: "bins", whenThereAre: 2)
      #expect(found.first?["dueAt"] == "2026-11-29T17:00:00Z")
      #expect(reminders(found).first == "2026-11-28T16:00:00Z")
    }
  }

  /// A move between time zones that are more than 12 hours apart, the times of a chore before the move, and the due
  /// time and reminder of the next occurrence.
  struct FarMove: Sendable, CustomTestStringConvertible {
    let from: String
    let to: String
    let frequency: String
    let times: Value
    let nextTimes: [Value]

    var testDescription: String { "\(from), \(to)" }
  }

  @Test(arguments: [
    // 23:00 on Sunday.
    FarMove(
      from: "America/Los_Angeles",
      to: "Australia/Sydney",
      frequency: "WEEKLY",
      times: ["dueAt": "2026-11-23T07:00:00Z", "remindAt": ["2026-11-23T06:30:00Z"]],
      nextTimes: ["2026-11-29T12:00:00Z", "2026-11-29T11:30:00Z"]
    ),
    // 23:00 on the 30th.
    FarMove(
      from: "America/New_York",
      to: "Asia/Tokyo",
      frequency: "MONTHLY",
      times: ["dueAt": "2026-12-01T04:00:00Z", "remindAt": ["2026-12-01T03:30:00Z"]],
      nextTimes: ["2026-12-30T14:00:00Z", "2026-12-30T13:30:00Z"]
    ),
    // 23:00 on Sunday. Clocks show the same time, a day apart.
    FarMove(
      from: "Pacific/Honolulu",
      to: "Pacific/Kiritimati",
      frequency: "WEEKLY",
      times: ["dueAt": "2026-11-23T09:00:00Z", "remindAt": ["2026-11-23T08:30:00Z"]],
      nextTimes: ["2026-11-29T09:00:00Z", "2026-11-29T08:30:00Z"]
    ),
  ])
  func `a reminder keeps its distance from the due time after a move by more than 12 hours`(move: FarMove) async throws
  {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server, timeZone: move.from)
      try await family.add("Take the bins out", move.frequency, move.times)
      try await family.move(to: move.to)
      let input: Value = ["input": ["frequency": .string(move.frequency)]]
      let copied = try await family.client.perform(Documents.preloadChores, input)
      #expect(copied["chores"].list.count == 1)
      let copy = try await family.occurrences(of: "bins").first
      #expect(copy.map { [$0["dueAt"], $0["reminders.0.remindAt"]] } == move.nextTimes)
    }
  }

  // MARK: Reminders and turns that are due together

  @Test func `after an outage over midnight, the family is reminded of today's chore only`() async throws {
    let directory = try TemporaryDirectory()
    var before: RepeatingChores?
    try await RepeatingChores.run(in: directory) { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Feed the cat", "DAILY", ["remindAt": ["2026-11-21T20:00:00Z"]])
      try await family.add("Walk the dog", "ONCE", ["remindAt": ["2026-11-21T21:00:00Z"]])
      before = family
    }
    let known = try #require(before)
    // 22:00 on Sunday.
    try await RepeatingChores.run(in: directory, startingLater: 38 * Self.hour) { server in
      let family = RepeatingChores(known, on: server)
      let found = try await family.occurrences(of: "cat") { $0.first?["reminders.0.status"] == "DUE" }
      #expect(reminders(found) == ["2026-11-22T20:00:00Z", "2026-11-21T20:00:00Z"])
      #expect(found.map { $0["reminders.0.status"] } == ["DUE", "IGNORED"])
      let news = try await known.household.at(server).news()
      #expect(news.sorted() == ["It is time: Feed the cat.", "It is time: Walk the dog."])
    }
  }

  @Test func `reminders of repeating chores wait for a due turn`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Feed the cat", "DAILY", ["remindAt": ["2026-11-21T20:00:00Z"]])
      try await family.add("Walk the dog", "ONCE", ["remindAt": ["2026-11-21T21:00:00Z"]])
      let midnight = server.clock.clock.now() + Self.toMidnight * 1_000
      let (cat, dog) = (midnight - 4 * Self.hour * 1_000, midnight - 3 * Self.hour * 1_000)
      func times(at now: Int64, waitsForTurns: Bool) async throws -> [Int64] {
        try await server.services.database.write { transaction in
          let write = DatedWrite(at: Timestamp(now), in: transaction)
          return try DueReminders(waitsForTurns: waitsForTurns, atMost: 10, in: write).times
        }
      }
      #expect(try await times(at: midnight, waitsForTurns: true) == [dog])
      #expect(try await times(at: midnight - 1, waitsForTurns: true) == [cat])
      try await family.add("Sweep", "DAILY", ["remindAt": ["2026-11-21T22:00:00Z"]])
      #expect(try await times(at: midnight, waitsForTurns: true) == [])
      #expect(try await times(at: midnight, waitsForTurns: false) == [midnight - 2 * Self.hour * 1_000])
    }
  }

  @Test func `reminders do not wait longer than a few minutes for a turn that fails`() {
    let wait = TurnWait()
    #expect(!wait.waits(for: nil, at: 1_000))
    #expect(!wait.waits(for: 2_000, at: 1_000))
    for now in [2_000, 3_000, 2_000 + TurnWait.maximum - 1] { #expect(wait.waits(for: 2_000, at: now)) }
    #expect(!wait.waits(for: 2_000, at: 2_000 + TurnWait.maximum))
    // Another turn is due, and then none.
    let later = 3_000 + TurnWait.maximum
    #expect(wait.waits(for: 2_500, at: later))
    #expect(!wait.waits(for: later + 1, at: later))
    #expect(wait.waits(for: 2_500, at: 2 * later))
    // The clock is set back.
    #expect(wait.waits(for: 2_500, at: later))
    #expect(wait.waits(for: 2_500, at: later + TurnWait.maximum - 1))
    #expect(!wait.waits(for: 2_500, at: later + TurnWait.maximum))
  }
}
