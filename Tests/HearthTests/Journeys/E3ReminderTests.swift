import TestSupport
import Testing

@testable import Hearth

@Suite("E3: reminders")
struct E3ReminderTests {
  private static let list = """
    query ($status: [ReminderStatus!]) { family { reminders(status: $status) {
      totalCount nodes { id remindAt status deliveredAt } } } }
    """

  /// The reminder, once it has this status.
  private func wait(for status: Value, of reminder: String, _ client: Client) async throws -> Value {
    var found = Value.null
    try await waitUntil("The reminder's status is \(status).") {
      found = try await client.ask(
        "query ($id: ID!) { node(id: $id) { ... on Reminder { status remindAt deliveredAt } } }",
        ["id": .string(reminder)]
      )["data.node"]
      return found["status"] == status
    }
    return found
  }

  private func answer(_ reminder: String, _ answer: Value, _ client: Client) async throws -> Outcome {
    try await client.perform(Documents.answerReminder, ["input": ["id": .string(reminder), "answer": answer]])
  }

  @Test func `set with the chore or later, they are listed with it and in the family, the soonest first`() async throws
  {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let outcome = try await ada.parent.perform(
        Documents.addChore,
        [
          "input": [
            "name": "Feed the cat",
            "remindAt": ["2026-11-23T08:00:00Z", "2026-11-22T09:00:00+01:00", "2026-11-22T08:00:00Z"],
          ]
        ]
      )
      let chore = try #require(outcome["chore.id"].string)
      let set = try await ada.parent.perform(
        Documents.setReminder,
        ["input": ["choreId": .string(chore), "remindAt": "2026-11-21T08:00:01Z"]]
      )
      #expect(set.userErrors.isEmpty)
      #expect(
        set["reminder"] == [
          "id": set["reminder.id"], "remindAt": "2026-11-21T08:00:01Z", "status": "SCHEDULED", "deliveredAt": nil,
          "answeredBy": nil, "chore": ["id": .string(chore), "status": "OPEN"],
        ]
      )
      let times: [Value] = ["2026-11-21T08:00:01Z", "2026-11-22T08:00:00Z", "2026-11-23T08:00:00Z"]
      let seen = try await ada.parent.ask("{ family { chores { nodes { reminders { remindAt } } } } }")
      #expect(seen["data.family.chores.nodes.0.reminders"].each("remindAt") == times)
      let page = try await ada.parent.ask(Self.list)["data.family.reminders"]
      #expect(page["totalCount"] == 3)
      #expect(page["nodes"].each("remindAt") == times)
      for (status, count) in [(["SCHEDULED", "DUE"], 3), (["IGNORED"], 0), ([], 0), (nil, 3)] as [(Value, Int)] {
        let page = try await ada.parent.ask(Self.list, ["status": status])["data.family.reminders"]
        #expect(page["totalCount"].int == count)
        #expect(page["nodes"].list.count == count)
      }
    }
  }

  @Test func `a time in the past is rejected, with all other errors`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let chore = try await ada.addChore()
      let before = try await ada.everything()
      let rejected: [(Value, [String])] = [
        (["remindAt": "2026-11-21T07:59:59Z"], ["input.remindAt OUT_OF_RANGE"]),
        (["remindAt": "2026-11-21T08:00:00Z"], ["input.remindAt OUT_OF_RANGE"]),
        (["remindAt": "1969-01-01T00:00:00Z"], ["input.remindAt OUT_OF_RANGE"]),
        (["choreId": "nonsense"], ["input.choreId NOT_FOUND"]),
        (
          ["choreId": .string(ada.personID), "remindAt": "2026-01-01T00:00:00Z"],
          ["input.choreId NOT_FOUND", "input.remindAt OUT_OF_RANGE"]
        ),
      ]
      for (fault, expected) in rejected {
        let input = (["choreId": .string(chore), "remindAt": "2026-12-01T00:00:00Z"] as Value).merging(fault)
        let outcome = try await ada.parent.perform(Documents.setReminder, ["input": input])
        #expect(outcome.userErrors == expected)
        #expect(outcome["reminder"] == .null)
      }
      let times: [(Value, [String])] = [
        (["2026-12-01T00:00:00Z", "2026-11-21T08:00:00Z"], ["input.name BLANK", "input.remindAt.1 OUT_OF_RANGE"]),
        (.array(Array(repeating: "2026-12-01T00:00:00Z", count: 21)), ["input.name BLANK", "input.remindAt TOO_LONG"]),
      ]
      for (remindAt, expected) in times {
        let input: Value = ["name": " ", "remindAt": remindAt]
        #expect(try await ada.parent.perform(Documents.addChore, ["input": input]).userErrors == expected)
      }
      #expect(try await ada.everything() == before)
    }
  }

  @Test func `each becomes due at its time, also one that is set later for sooner`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let other = try await Household(on: server, email: "other@example.com")
      let chore = try await ada.addChore()
      let last = try await ada.setReminder(of: chore, at: "2026-11-21T08:03:00Z")
      let first = try await ada.setReminder(of: chore, at: "2026-11-21T08:01:00Z")
      let theirs = try await other.setReminder(of: try await other.addChore(), at: "2026-11-21T08:02:00Z")
      server.clock.advance(seconds: 59)
      #expect(
        try await ada.parent.ask(Self.list)["data.family.reminders.nodes"].each("status") == ["SCHEDULED", "SCHEDULED"]
      )
      server.clock.advance(seconds: 1)
      #expect(
        try await wait(for: "DUE", of: first, ada.parent)
          == ["status": "DUE", "remindAt": "2026-11-21T08:01:00Z", "deliveredAt": "2026-11-21T08:01:00Z"]
      )
      server.clock.advance(seconds: 60)
      #expect(try await wait(for: "DUE", of: theirs, other.parent)["deliveredAt"] == "2026-11-21T08:02:00Z")
      #expect(
        try await ada.parent.ask(Self.list)["data.family.reminders.nodes"].each("status") == ["DUE", "SCHEDULED"]
      )
      server.clock.advance(seconds: 60)
      #expect(try await wait(for: "DUE", of: last, ada.parent)["deliveredAt"] == "2026-11-21T08:03:00Z")
    }
  }

  @Test func `what fell due while the server was down is due when it is up`() async throws {
    let directory = try TemporaryDirectory()
    var made: (Household, past: String, future: String)?
    try await TestServer.run(in: directory, configure: { $0.accessTokenLifetime = 86_400 }) { server in
      let ada = try await Household(on: server)
      let chore = try await ada.addChore()
      made = (
        ada, try await ada.setReminder(of: chore, at: "2026-11-21T08:01:00Z"),
        try await ada.setReminder(of: chore, at: "2026-11-21T09:00:00Z")
      )
    }
    let (ada, past, future) = try #require(made)
    try await TestServer.run(in: directory, startingLater: 120) { server in
      let parent = server.visitor.with(token: ada.parent.token)
      #expect(
        try await wait(for: "DUE", of: past, parent)
          == ["status": "DUE", "remindAt": "2026-11-21T08:01:00Z", "deliveredAt": "2026-11-21T08:02:00Z"]
      )
      let waiting = try await parent.ask(Self.list, ["status": ["SCHEDULED"]])["data.family.reminders.nodes"]
      #expect(waiting.each("id") == [.string(future)])
      server.clock.advance(seconds: 58 * 60)
      #expect(try await wait(for: "DUE", of: future, parent)["deliveredAt"] == "2026-11-21T09:00:00Z")
    }
  }

  @Test func `checked off, the chore is done; ignored, it is not; and an answer stays`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let chore = try await ada.addChore(for: [mia])
      let ignored = try await ada.setReminder(of: chore, at: "2026-11-21T08:01:00Z")
      let checked = try await ada.setReminder(of: chore, at: "2026-11-21T08:01:00Z")
      server.clock.advance(seconds: 60)
      for reminder in [ignored, checked] { _ = try await wait(for: "DUE", of: reminder, ada.parent) }
      let put = try await answer(ignored, "IGNORE", ada.parent)["reminder"]
      #expect(put["status"] == "IGNORED")
      #expect(put["answeredBy.id"] == .string(ada.personID))
      #expect(put["chore.status"] == "OPEN")
      let done = try await answer(checked, "CHECK_OFF", ada.parent)["reminder"]
      #expect(done["status"] == "CHECKED_OFF")
      #expect(done["chore.status"] == "DONE")
      let left = try await ada.parent.ask("{ family { children { assignedChores { totalCount } } } }")
      #expect(left["data.family.children.0.assignedChores.totalCount"] == 0)
      // Another device has not heard of it yet.
      #expect(try await answer(checked, "CHECK_OFF", ada.parent).userErrors == [])
      for other in ["IGNORE", "SNOOZE_1_HOUR"] as [Value] {
        #expect(try await answer(checked, other, ada.parent).userErrors == ["input.id CONFLICT"])
      }
      #expect(try await answer(ignored, "CHECK_OFF", ada.parent).userErrors == ["input.id CONFLICT"])
    }
  }

  @Test(arguments: [
    ("SNOOZE_10_MINUTES", 600, "2026-11-21T08:12:00Z"), ("SNOOZE_1_HOUR", 3_600, "2026-11-21T09:02:00Z"),
    ("SNOOZE_1_DAY", 86_400, "2026-11-22T08:02:00Z"),
  ])
  func `after snoozing, it is due again, relative to the answer`(name: String, seconds: Int64, time: String)
    async throws
  {
    try await TestServer.run(configure: { $0.accessTokenLifetime = 10 * 86_400 }) { server in
      let ada = try await Household(on: server)
      let reminder = try await ada.setReminder(of: try await ada.addChore(), at: "2026-11-21T08:01:00Z")
      server.clock.advance(seconds: 60)
      _ = try await wait(for: "DUE", of: reminder, ada.parent)
      server.clock.advance(seconds: 60)
      let snoozed = try await answer(reminder, .string(name), ada.parent)["reminder"]
      #expect(snoozed["status"] == "SCHEDULED")
      #expect(snoozed["remindAt"] == .string(time))
      #expect(snoozed["deliveredAt"] == .null)
      #expect(snoozed["answeredBy"] == .null)
      server.clock.advance(seconds: seconds)
      #expect(
        try await wait(for: "DUE", of: reminder, ada.parent)
          == ["status": "DUE", "remindAt": .string(time), "deliveredAt": .string(time)]
      )
    }
  }

  @Test func `the delays of two devices that snooze it do not add up: the last answer counts`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let chore = try await ada.addChore()
      let due = try await ada.setReminder(of: chore, at: "2026-11-21T08:01:00Z")
      let early = try await ada.setReminder(of: chore, at: "2026-11-21T12:00:00Z")
      server.clock.advance(seconds: 60)
      _ = try await wait(for: "DUE", of: due, ada.parent)
      let answers: [(String, Value, Value)] = [
        (due, "SNOOZE_10_MINUTES", "2026-11-21T08:11:00Z"), (due, "SNOOZE_10_MINUTES", "2026-11-21T08:11:00Z"),
        (due, "SNOOZE_1_HOUR", "2026-11-21T09:01:00Z"), (due, "SNOOZE_10_MINUTES", "2026-11-21T08:11:00Z"),
        (early, "SNOOZE_1_HOUR", "2026-11-21T13:00:00Z"), (early, "SNOOZE_1_HOUR", "2026-11-21T13:00:00Z"),
      ]
      for (reminder, name, time) in answers {
        #expect(try await answer(reminder, name, ada.parent)["reminder.remindAt"] == time, "\(name)")
      }
    }
  }

  @Test func `a time that no response could state is rejected, and snoozing ends before it`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let chore = try await ada.addChore()
      for time in ["9999-12-31T23:59:59-12:00", "9999-12-31T00:00:00Z", "0001-01-02T00:00:00+00:01"] as [Value] {
        let input: Value = ["choreId": .string(chore), "remindAt": time]
        let rejected = try await ada.parent.post(Documents.setReminder, ["input": input]).json
        #expect(rejected["errors.0.extensions.code"] == "BAD_USER_INPUT", "\(time)")
        let message = rejected["errors.0.message"].string ?? ""
        #expect(message.contains("DateTime must be from 0001-01-02 to 9999-12-30 in UTC"), "\(message)")
      }
      let reminder = try await ada.setReminder(of: chore, at: "9999-12-30T23:59:59Z")
      let snoozed = try await answer(reminder, "SNOOZE_1_DAY", ada.parent)["reminder"]
      #expect(snoozed["remindAt"] == "9999-12-30T23:59:59.999Z")
    }
  }

  @Test func `there is no reminder for a completed chore, unless it is reopened`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let (done, again) = (try await ada.addChore("Feed the cat"), try await ada.addChore("Walk the dog"))
      let silent = try await ada.setReminder(of: done, at: "2026-11-21T08:01:00Z")
      let heard = try await ada.setReminder(of: again, at: "2026-11-21T08:01:00Z")
      #expect(try await ada.assign([(done, 3), (again, 1)], to: mia).userErrors == [])
      let waiting = try await ada.parent.ask(Self.list)["data.family.reminders.nodes"]
      #expect(waiting.each("status") == ["SCHEDULED", "SCHEDULED"])
      let reopened: Value = ["input": ["id": .string(again), "status": "OPEN"]]
      #expect(try await ada.parent.perform(Documents.updateChore, reopened).userErrors == [])
      server.clock.advance(seconds: 60)
      #expect(try await wait(for: "DUE", of: heard, ada.parent)["status"] == "DUE")
      #expect(
        try await wait(for: "IGNORED", of: silent, ada.parent)
          == ["status": "IGNORED", "remindAt": "2026-11-21T08:01:00Z", "deliveredAt": nil]
      )
      #expect(try await ada.news() == ["It is time: Walk the dog."])
    }
  }

  @Test(arguments: ["points", "status DONE", "status ARCHIVED", "check off"])
  func `due reminders of a chore are dismissed when it is done`(how: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let chore = try await ada.addChore("Feed the cat", for: [mia])
      let first = try await ada.setReminder(of: chore, at: "2026-11-21T08:01:00Z")
      let second = try await ada.setReminder(of: chore, at: "2026-11-21T08:01:00Z")
      let later = try await ada.setReminder(of: chore, at: "2026-11-21T09:00:00Z")
      let other = try await ada.setReminder(of: try await ada.addChore(), at: "2026-11-21T08:01:00Z")
      server.clock.advance(seconds: 60)
      for reminder in [first, second, other] { _ = try await wait(for: "DUE", of: reminder, ada.parent) }
      switch how {
      case "points": #expect(try await ada.assign([(chore, 3)], to: mia).userErrors == [])
      case "check off": #expect(try await answer(first, "CHECK_OFF", ada.parent).userErrors == [])
      default:
        let input: Value = ["id": .string(chore), "status": .string(String(how.dropFirst(7)))]
        #expect(try await ada.parent.perform(Documents.updateChore, ["input": input]).userErrors == [])
      }
      let answered = how == "check off" ? "CHECKED_OFF" : "IGNORED"
      let expected = [first: answered, second: "IGNORED", later: "SCHEDULED", other: "DUE"]
      for (reminder, status) in expected {
        let found = try await ada.parent.ask(
          "query ($id: ID!) { node(id: $id) { ... on Reminder { status answeredBy { id } } } }",
          ["id": .string(reminder)]
        )["data.node"]
        #expect(found["status"] == .string(status))
        let isPutAway = status == "IGNORED" || status == "CHECKED_OFF"
        #expect(found["answeredBy.id"] == (isPutAway ? .string(ada.personID) : .null))
      }
    }
  }

  @Test func `a reminder of an archived chore can be dismissed, but not checked off`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let chore = try await ada.addChore()
      let reminder = try await ada.setReminder(of: chore, at: "2026-11-21T09:00:00Z")
      let archived: Value = ["input": ["id": .string(chore), "status": "ARCHIVED"]]
      #expect(try await ada.parent.perform(Documents.updateChore, archived).userErrors == [])
      #expect(try await answer(reminder, "CHECK_OFF", ada.parent).userErrors == ["input.id CONFLICT"])
      #expect(try await answer(reminder, "IGNORE", ada.parent).userErrors == [])
    }
  }

  @Test func `a child changes reminders of its own chores, and of no others`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let own = try await ada.addChore("Feed the cat", for: [mia])
      let other = try await ada.addChore("Walk the dog")
      let theirs = try await ada.setReminder(of: other, at: "2026-12-01T00:00:00Z")
      let child = try await ada.signIn("mia")
      func set(_ chore: String) async throws -> Outcome {
        let input: Value = ["choreId": .string(chore), "remindAt": "2026-12-01T00:00:00Z"]
        return try await child.perform(Documents.setReminder, ["input": input])
      }
      let reminder = try #require(try await set(own)["reminder.id"].string)
      let removed = try #require(try await set(own)["reminder.id"].string)
      let done = try await answer(reminder, "CHECK_OFF", child)["reminder"]
      #expect(done["answeredBy.id"] == .string(mia))
      #expect(done["chore"] == ["id": .string(own), "status": "DONE"])
      #expect(
        try await child.perform(Documents.removeReminder, ["id": .string(removed)])["removedId"] == .string(removed)
      )
      let before = try await ada.everything()
      #expect(try await set(other).codes == ["FORBIDDEN"])
      #expect(try await answer(theirs, "CHECK_OFF", child).codes == ["FORBIDDEN"])
      #expect(try await child.perform(Documents.removeReminder, ["id": .string(theirs)]).codes == ["FORBIDDEN"])
      #expect(try await ada.everything() == before)
    }
  }

  @Test func `a reminder is removed alone or with its chore, and is then not found`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let chore = try await ada.addChore()
      let alone = try await ada.setReminder(of: chore, at: "2026-11-21T08:01:00Z")
      let with = try await ada.setReminder(of: chore, at: "2026-11-21T08:02:00Z")
      #expect(
        try await ada.parent.perform(Documents.removeReminder, ["id": .string(alone)])["removedId"] == .string(alone)
      )
      _ = try await ada.parent.perform(Documents.removeChore, ["id": .string(chore)])
      for reminder in [alone, with] {
        #expect(
          try await ada.parent.perform(Documents.removeReminder, ["id": .string(reminder)]).userErrors
            == ["id NOT_FOUND"]
        )
        #expect(try await answer(reminder, "IGNORE", ada.parent).userErrors == ["input.id NOT_FOUND"])
      }
      #expect(try await ada.parent.ask(Self.list)["data.family.reminders"] == ["totalCount": 0, "nodes": []])
      let input: Value = ["choreId": .string(chore), "remindAt": "2026-12-01T00:00:00Z"]
      #expect(
        try await ada.parent.perform(Documents.setReminder, ["input": input]).userErrors == ["input.choreId NOT_FOUND"]
      )
    }
  }

  @Test func `a chore has a hundred reminders at most`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let chore = try await ada.addChore()
      for _ in 0..<100 { _ = try await ada.setReminder(of: chore, at: "2026-12-01T00:00:00Z") }
      let input: Value = ["choreId": .string(chore), "remindAt": "2026-12-01T00:00:00Z"]
      #expect(
        try await ada.parent.perform(Documents.setReminder, ["input": input]).userErrors == ["input.choreId TOO_LONG"]
      )
    }
  }

  @Test func `more than become due in one write all do`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let times = (10..<30).map { Value.string("2026-11-21T08:00:\($0)Z") }
      for _ in 0...(ReminderScheduler.maximumAtOnce / 20) {
        let input: Value = ["name": "Feed the cat", "remindAt": .array(times)]
        let outcome = try await ada.parent.perform(Documents.addChore, ["input": input])
        #expect(outcome.userErrors.isEmpty)
      }
      let last = try await ada.setReminder(of: try await ada.addChore(), at: "2026-11-21T08:00:59Z")
      server.clock.advance(seconds: 60)
      // The last of all becomes due when all others are.
      #expect(try await wait(for: "DUE", of: last, ada.parent)["status"] == "DUE")
      let waiting = try await ada.parent.ask(Self.list, ["status": ["SCHEDULED"]])
      #expect(waiting["data.family.reminders.totalCount"] == 0)
    }
  }
}
