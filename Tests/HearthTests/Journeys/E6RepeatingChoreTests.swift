import TestSupport
import Testing

@testable import Hearth

/// The clock begins on Saturday, 21 November 2026, at 08:00 UTC.
@Suite("E6: chores that repeat")
struct E6RepeatingChoreTests {
  private static let day: Int64 = 86_400
  private static let toMidnight: Int64 = 16 * 3_600

  @Test func `when the week ends, its chores are copied completely, and open ones are closed`()
    async throws
  {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server, timeZone: "Europe/Vienna")
      let mia = try await family.household.addChild("Mia")
      let first = try await family.add(
        "Water the plants",
        "WEEKLY",
        [
          "notes": "The fern too.", "priority": 8, "dueAt": "2026-11-22T17:00:00Z",
          "assigneeIds": [.string(mia), .string(family.household.personID)],
          "remindAt": ["2026-11-22T16:30:00Z", "2026-11-21T17:00:00Z"],
        ]
      )
      #expect(first["period"] == "2026-W47")
      #expect(first["copiedFrom"] == .null)
      // A second before midnight on Sunday, in Vienna.
      server.clock.advance(seconds: 39 * 3_600 - 1)
      #expect(try await family.occurrences(of: "plants").map { $0["period"] } == ["2026-W47"])
      server.clock.advance(seconds: 1)
      let found = try await family.occurrences(of: "plants", whenThereAre: 2)
      let (copy, old) = (try #require(found.first), try #require(found.last))
      #expect(
        copy == [
          "id": copy["id"], "name": "Water the plants", "notes": "The fern too.", "priority": 8,
          "dueAt": "2026-11-29T17:00:00Z", "frequency": "WEEKLY", "status": "OPEN", "period": "2026-W48",
          "createdAt": "2026-11-22T23:00:00Z", "copiedFrom": ["id": first["id"]], "assignees": old["assignees"],
          "createdBy": ["id": .string(family.household.personID)],
          "reminders": [
            ["remindAt": "2026-11-28T17:00:00Z", "status": "SCHEDULED"],
            ["remindAt": "2026-11-29T16:30:00Z", "status": "SCHEDULED"],
          ],
        ]
      )
      #expect(old["assignees"].list.count == 2)
      #expect(old["status"] == "ARCHIVED")
      #expect(old["period"] == "2026-W47")
      #expect(old["reminders"].each("status") == ["IGNORED", "IGNORED"])
      let open = try await family.client.ask("{ family { children { assignedChores { nodes { id } } } } }")
      #expect(open["data.family.children.0.assignedChores.nodes"].each("id") == [copy["id"]])
    }
  }

  @Test func `completed chores stay completed, and chores due later stay open`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let done = try await family.add("Done", "DAILY")
      _ = try await family.update(done, ["status": "DONE"])
      let late = try await family.add("Late", "DAILY")
      let preloaded = try await family.client.perform(Documents.preloadChores, ["input": ["frequency": "DAILY"]])
      #expect(preloaded["chores"].each("period") == ["2026-11-22", "2026-11-22"])
      // Put off, after it was copied.
      #expect(try await family.update(late, ["dueAt": "2026-11-22T12:00:00Z"]).userErrors.isEmpty)
      try await family.add("Marker", "DAILY")
      server.clock.advance(seconds: Self.toMidnight)
      _ = try await family.occurrences(of: "Marker", whenThereAre: 2)
      #expect(try await family.occurrences(of: "Done").map { $0["status"] } == ["OPEN", "DONE"])
      #expect(try await family.occurrences(of: "Late").map { $0["status"] } == ["OPEN", "OPEN"])
      server.clock.advance(days: 1)
      _ = try await family.occurrences(of: "Marker", whenThereAre: 3)
      #expect(try await family.occurrences(of: "Late").map { $0["status"] } == ["OPEN", "ARCHIVED", "ARCHIVED"])
    }
  }

  @Test func `the 31st is the last day of shorter months, and the 31st again after them`() async throws {
    // From 10 January 2027 on.
    try await RepeatingChores.run(startingLater: 50 * Self.day) { server in
      let family = try await RepeatingChores(on: server, timeZone: "Europe/Vienna")
      try await family.add(
        "Pay the rent",
        "MONTHLY",
        ["dueAt": "2027-01-31T06:00:00Z", "remindAt": ["2027-01-30T06:00:00Z"]]
      )
      try await family.add("Sort the books", "MONTHLY", ["remindAt": ["2027-01-31T06:00:00Z"]])
      // Up to midnight in Vienna.
      server.clock.advance(seconds: 15 * 3_600)
      for (index, days) in [21, 28, 31, 30].enumerated() {
        // Summer time begins in March.
        server.clock.advance(seconds: Int64(days) * Self.day - (index == 2 ? 3_600 : 0))
        _ = try await family.occurrences(of: "books", whenThereAre: index + 2)
      }
      let rent = try await family.occurrences(of: "rent")
      #expect(rent.map { $0["period"] } == ["2027-05", "2027-04", "2027-03", "2027-02", "2027-01"])
      #expect(
        rent.map { $0["dueAt"] } == [
          "2027-05-31T05:00:00Z", "2027-04-30T05:00:00Z", "2027-03-31T05:00:00Z", "2027-02-28T06:00:00Z",
          "2027-01-31T06:00:00Z",
        ]
      )
      #expect(rent.map { $0["reminders.0.remindAt"] }.first == "2027-05-30T05:00:00Z")
      #expect(
        try await family.occurrences(of: "books").map { $0["reminders.0.remindAt"] } == [
          "2027-05-31T05:00:00Z", "2027-04-30T05:00:00Z", "2027-03-31T05:00:00Z", "2027-02-28T06:00:00Z",
          "2027-01-31T06:00:00Z",
        ]
      )
    }
  }

  @Test func `a time that clocks skip comes later on that day alone`() async throws {
    // From 27 March 2027, 08:00 UTC on: the night of the change.
    try await RepeatingChores.run(startingLater: 126 * Self.day) { server in
      let family = try await RepeatingChores(on: server, timeZone: "Europe/Vienna")
      try await family.add(
        "Feed the baby",
        "DAILY",
        ["dueAt": "2027-03-27T01:30:00Z", "remindAt": ["2027-03-27T08:30:00Z"]]
      )
      server.clock.advance(seconds: 15 * 3_600)
      #expect(try await family.occurrences(of: "baby", whenThereAre: 2).first?["dueAt"] == "2027-03-28T01:30:00Z")
      server.clock.advance(seconds: 23 * 3_600)
      let found = try await family.occurrences(of: "baby", whenThereAre: 3)
      #expect(found.first?["dueAt"] == "2027-03-29T00:30:00Z")
      #expect(found.map { $0["period"] } == ["2027-03-29", "2027-03-28", "2027-03-27"])
      #expect(found.first?["reminders.0.remindAt"] == "2027-03-29T07:30:00Z")
    }
  }

  @Test func `what a server that was down has missed is not made up for: there is the copy of today`() async throws {
    let directory = try TemporaryDirectory()
    var before: RepeatingChores?
    try await RepeatingChores.run(in: directory) { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Feed the cat", "DAILY", ["dueAt": "2026-11-21T18:00:00Z"])
      try await family.add("Tidy the room", "WEEKLY")
      try await family.add("Pay the rent", "MONTHLY")
      before = family
    }
    // 5 January 2027: the 53rd week of 2026 has just gone by.
    let later = 45 * Self.day
    let known = try #require(before)
    try await RepeatingChores.run(in: directory, startingLater: later) { server in
      let family = RepeatingChores(known, on: server)
      for (name, period) in [("cat", "2027-01-05"), ("room", "2027-W01"), ("rent", "2027-01")] {
        let found = try await family.occurrences(of: name, whenThereAre: 2)
        #expect(found.count == 2)
        #expect(found.first?["period"] == .string(period))
        #expect(found.map { $0["status"] } == ["OPEN", "ARCHIVED"])
      }
      #expect(try await family.occurrences(of: "cat").first?["dueAt"] == "2027-01-05T18:00:00Z")
    }
    // Once more: nothing is copied again.
    try await RepeatingChores.run(in: directory, startingLater: later) { server in
      let family = RepeatingChores(known, on: server)
      try await family.add("Marker", "DAILY")
      server.clock.advance(seconds: Self.toMidnight)
      _ = try await family.occurrences(of: "Marker", whenThereAre: 2)
      #expect(try await family.occurrences(of: "cat").count == 3)
      #expect(try await family.occurrences(of: "room").count == 2)
    }
  }

  @Test func `a family that moves to another time zone has each day once`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Feed the cat", "DAILY", ["dueAt": "2026-11-21T07:00:00Z"])
      server.clock.advance(seconds: 4 * 3_600)
      // Sunday, two o'clock there.
      try await family.move(to: "Pacific/Kiritimati")
      let found = try await family.occurrences(of: "cat", whenThereAre: 2)
      #expect(found.map { $0["period"] } == ["2026-11-22", "2026-11-21"])
      // Seven o'clock is now seven o'clock there.
      #expect(found.first?["dueAt"] == "2026-11-21T17:00:00Z")
      // Saturday again there.
      try await family.move(to: "America/New_York")
      try await family.add("Marker", "DAILY")
      server.clock.advance(seconds: 17 * 3_600)
      let marker = try await family.occurrences(of: "Marker", whenThereAre: 2)
      #expect(marker.map { $0["period"] } == ["2026-11-22", "2026-11-21"])
      #expect(try await family.occurrences(of: "cat").count == 2)
      server.clock.advance(days: 1)
      let last = try await family.occurrences(of: "cat", whenThereAre: 3)
      #expect(last.map { $0["period"] } == ["2026-11-23", "2026-11-22", "2026-11-21"])
      #expect(last.first?["dueAt"] == "2026-11-23T12:00:00Z")
    }
  }

  @Test func `a clock that is set back makes no second copy`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Feed the cat", "DAILY")
      server.clock.advance(seconds: Self.toMidnight)
      _ = try await family.occurrences(of: "cat", whenThereAre: 2)
      server.clock.advance(days: -1)
      try await family.add("Marker", "DAILY")
      server.clock.advance(days: 1)
      #expect(
        try await family.occurrences(of: "Marker", whenThereAre: 2).map { $0["period"] } == [
          "2026-11-22", "2026-11-21",
        ]
      )
      #expect(try await family.occurrences(of: "cat").map { $0["period"] } == ["2026-11-22", "2026-11-21"])
    }
  }

  @Test func `a clock that was years ahead by mistake leaves nothing behind`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let names = ["Daily", "Weekly", "Monthly"]
      for name in names { try await family.add(name, name.uppercased()) }
      // The late time is intended.
      try await family.add("Wanted", "MONTHLY", ["dueAt": "2027-06-15T08:00:00Z"])
      let before = try await family.occurrences(of: "Monthly")
      server.clock.advance(days: 5 * 365)
      for name in names { #expect(try await family.occurrences(of: name, whenThereAre: 2).count == 2) }
      server.clock.advance(days: -5 * 365)
      for name in names {
        let found = try await family.occurrences(of: name) { $0.map { $0["status"] } == ["ARCHIVED", "OPEN"] }
        #expect(found.map { $0["status"] } == ["ARCHIVED", "OPEN"])
        #expect(found.last?["period"] == (name == "Daily" ? "2026-11-21" : name == "Weekly" ? "2026-W47" : "2026-11"))
      }
      #expect(try await family.occurrences(of: "Monthly").last?["id"] == before.first?["id"])
      #expect(try await family.occurrences(of: "Wanted").last?["period"] == "2027-06")
      server.clock.advance(seconds: Self.toMidnight)
      let next = try await family.occurrences(of: "Daily", whenThereAre: 3)
      #expect(next.map { $0["period"] }.contains("2026-11-22"))
      server.clock.advance(days: 10)
      #expect(try await family.occurrences(of: "Monthly", whenThereAre: 3).contains { $0["period"] == "2026-12" })
    }
  }

  @Test func `a chore ends to repeat when its newest is removed or is for once; older ones cannot say`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let removed = try await family.add("Removed", "DAILY")
      let once = try await family.add("Once", "DAILY")
      let archived = try await family.add("Archived", "DAILY")
      let goesOn = try await family.add("Going on", "DAILY")
      _ = try await family.client.perform(Documents.removeChore, ["id": removed["id"]])
      #expect(try await family.update(once, ["frequency": "ONCE"]).userErrors.isEmpty)
      _ = try await family.update(archived, ["status": "ARCHIVED"])
      server.clock.advance(seconds: Self.toMidnight)
      _ = try await family.occurrences(of: "Going on", whenThereAre: 2)
      #expect(try await family.occurrences(of: "Removed").isEmpty)
      #expect(try await family.occurrences(of: "Once").map { $0["status"] } == ["OPEN"])
      #expect(try await family.occurrences(of: "Archived").map { $0["status"] } == ["OPEN", "ARCHIVED"])
      #expect(
        try await family.update(goesOn, ["frequency": "ONCE", "name": " "]).userErrors
          == ["input.frequency CONFLICT", "input.name BLANK"]
      )
      // The same value is not a change.
      #expect(try await family.update(goesOn, ["frequency": "DAILY"]).userErrors.isEmpty)
    }
  }

  @Test func `the newest occurrence determines the repetition: when, how often, for whom`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let ben = try await family.household.addChild("Ben")
      let chore = try await family.add("Tidy", "ONCE", ["dueAt": "2026-11-21T18:00:00Z"])
      #expect(chore["period"] == .null)
      _ = try await family.update(chore, ["frequency": "WEEKLY", "assigneeIds": [.string(ben)], "priority": 9])
      #expect(try await family.occurrences(of: "Tidy").first?["period"] == "2026-W47")
      // Postponed to Tuesday: it belongs to that week, and there is no second one.
      _ = try await family.update(chore, ["dueAt": "2026-11-24T18:00:00Z", "name": "Tidy up"])
      #expect(try await family.occurrences(of: "Tidy").map { $0["period"] } == ["2026-W48"])
      try await family.add("Marker", "DAILY")
      server.clock.advance(seconds: Self.toMidnight + Self.day)
      #expect(try await family.occurrences(of: "Marker", whenThereAre: 2).count == 2)
      #expect(try await family.occurrences(of: "Tidy").map { $0["status"] } == ["OPEN"])
      server.clock.advance(days: 7)
      let found = try await family.occurrences(of: "Tidy", whenThereAre: 2)
      let copy = try #require(found.first)
      #expect(copy["period"] == "2026-W49")
      #expect(copy["dueAt"] == "2026-12-01T18:00:00Z")
      #expect(copy["name"] == "Tidy up")
      #expect(copy["priority"] == 9)
      #expect(copy["assignees"] == [["id": .string(ben)]])
      #expect(try await family.update(copy, ["frequency": "MONTHLY"]).userErrors.isEmpty)
      #expect(try await family.occurrences(of: "Tidy").first?["period"] == "2026-12")
      let listed = try await family.client.ask(RepeatingChores.list, ["filter": ["period": "2026-12"]])
      #expect(listed["data.family.chores.totalCount"] == 1)
      #expect(listed["data.family.chores.nodes.0.id"] == copy["id"])
    }
  }

  @Test func `a snoozed reminder is due at its own time; one of a removed member is not`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let (mia, ben) = (try await family.household.addChild("Mia"), try await family.household.addChild("Ben"))
      try await family.add(
        "Feed the cat",
        "DAILY",
        ["remindAt": ["2026-11-21T09:00:00Z"], "assigneeIds": [.string(mia), .string(ben)]]
      )
      let reminder = try await family.client.ask("{ family { reminders { nodes { id } } } }")
      let id = reminder["data.family.reminders.nodes.0.id"]
      let answer: Value = ["input": ["id": id, "answer": "SNOOZE_1_HOUR"]]
      #expect(try await family.client.perform(Documents.answerReminder, answer).userErrors.isEmpty)
      _ = try await family.client.perform(Documents.removeChild, ["id": .string(mia)])
      server.clock.advance(seconds: Self.toMidnight)
      let copy = try await family.occurrences(of: "cat", whenThereAre: 2).first
      #expect(copy?["reminders.0.remindAt"] == "2026-11-22T09:00:00Z")
      #expect(copy?["assignees"] == [["id": .string(ben)]])
    }
  }

  @Test func `more than are copied in one write are all copied, each once`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let others = try await Household(on: server, email: "grace@example.com")
      let count = Int(PeriodTurn.maximumAtOnce) + 5
      for number in 0..<count { try await family.add("Chore \(number)", "DAILY") }
      let input: Value = ["input": ["name": "Theirs", "frequency": "DAILY"]]
      _ = try await others.parent.perform(Documents.addChore, input)
      server.clock.advance(seconds: Self.toMidnight)
      let filter: Value = ["filter": ["period": "2026-11-22", "status": "OPEN"]]
      func open(_ client: Client) async throws -> Int? {
        try await client.ask(RepeatingChores.list, filter)["data.family.chores.totalCount"].int
      }
      try await waitUntil("All chores of the family are copied.") { try await open(family.client) == count }
      try await waitUntil("The other family's chore is copied.") { try await open(others.parent) == 1 }
      let all = try await family.client.ask(RepeatingChores.list, ["filter": [:]])
      #expect(all["data.family.chores.totalCount"].int == 2 * count)
    }
  }
}
