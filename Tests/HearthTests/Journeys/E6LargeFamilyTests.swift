import Storage
import TestSupport
import Testing

@testable import Hearth

/// The clock begins on Saturday, 21 November 2026, at 08:00 UTC.
@Suite("E6: families with many repeating chores")
struct E6LargeFamilyTests {
  private static let toMidnight: Int64 = 16 * 3_600
  private static let full = ["input.frequency NOT_ALLOWED TOO_MANY_REPEATING_CHORES"]

  @Test func `a family has at most 1,000 repeating chores, which it can exchange for others`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let first = try await family.add("First", "DAILY")
      let once = try await family.add("Once", "ONCE")
      try await repeatChores(998, of: family, on: server)
      try await family.add("Last", "WEEKLY")

      #expect(try await add("DAILY", to: family).userErrorReasons == Self.full)
      #expect(try await family.update(once, ["frequency": "MONTHLY"]).userErrorReasons == Self.full)
      // Neither a chore that does not repeat, nor one that repeats at other times, is one more.
      #expect(try await add("ONCE", to: family).userErrors == [])
      #expect(try await family.update(first, ["frequency": "WEEKLY"]).userErrors == [])

      #expect(try await family.update(first, ["frequency": "ONCE"]).userErrors == [])
      #expect(try await family.update(once, ["frequency": "MONTHLY"]).userErrors == [])
      #expect(try await add("DAILY", to: family).userErrorReasons == Self.full)

      let other = try await Household(on: server, email: "grace@example.com", name: "Grace Hopper")
      let daily: Value = ["input": ["name": "Daily", "frequency": "DAILY"]]
      let walk = try await other.parent.perform(Documents.addChore, daily)
      #expect(walk.userErrors == [])
      try await joiningBringsNoMore(than: family, other, walk["chore"], on: server)
    }
  }

  /// The chores of a parent who joins count too.
  private func joiningBringsNoMore(
    than family: RepeatingChores,
    _ other: Household,
    _ chore: Value,
    on server: TestServer
  ) async throws {
    try await other.verifyEmail(on: server)
    let invited = try await family.client.perform(Documents.inviteParent, ["email": .string(other.email)])
    #expect(invited.userErrors == [])
    let token = Value.string(try await server.mail(to: other.email, about: "invites").token)
    let accepted = try await other.parent.perform(Documents.acceptInvitation, ["token": token])
    #expect(accepted.userErrorReasons == ["token NOT_ALLOWED TOO_MANY_REPEATING_CHORES"])
    let once: Value = ["input": ["id": chore["id"], "frequency": "ONCE"]]
    #expect(try await other.parent.perform(Documents.updateChore, once).userErrors == [])
    #expect(try await other.parent.perform(Documents.acceptInvitation, ["token": token]).userErrors == [])
  }

  @Test func `the repeating chores of a family have at most 5,000 reminders`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let first = try await family.add("First", "DAILY")
      let reminders = Value((1...20).map { "2026-12-01T\(10 + $0 / 4):\($0 % 4)0:00Z" })
      try await repeatChores(250, of: family, reminders: reminders, on: server)
      let one: Value = ["2026-12-01T08:00:00Z"]
      let daily: Value = ["input": ["name": "Daily", "frequency": "DAILY", "remindAt": one]]
      let added = try await family.client.perform(Documents.addChore, daily)
      #expect(added.userErrorReasons == ["input.remindAt NOT_ALLOWED TOO_MANY_REMINDERS"])
      let set: Value = ["input": ["choreId": first["id"], "remindAt": "2026-12-01T08:00:00Z"]]
      let reminder = try await family.client.perform(Documents.setReminder, set)
      #expect(reminder.userErrorReasons == ["input.choreId NOT_ALLOWED TOO_MANY_REMINDERS"])
      // Those of chores that do not repeat are not counted.
      let once: Value = ["input": ["name": "Once", "remindAt": one]]
      let chore = try await family.client.perform(Documents.addChore, once)["chore"]
      let repeating: Value = ["input": ["id": chore["id"], "frequency": "DAILY"]]
      let updated = try await family.client.perform(Documents.updateChore, repeating)
      #expect(updated.userErrorReasons == ["input.frequency NOT_ALLOWED TOO_MANY_REMINDERS"])
      #expect(try await add("DAILY", to: family).userErrors == [])
    }
  }

  @Test(.onlySQLite("Only its writes have a budget of steps."))
  func `a turn copies chores with many reminders in several writes`() async throws {
    let (directory, log) = (try TemporaryDirectory(), RecordedLog())
    try await TestServer.run(in: directory) { server in
      let family = try await RepeatingChores(on: server)
      try await repeatChores(48, of: family, reminders: ["2026-11-22T20:00:00Z"], on: server)
      let statement = WrittenOnce.sql(
        """
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 99)
        INSERT INTO reminder (family_id, id, chore_id, remind_at, status)
        SELECT r.family_id, r.id + 64 * 1000000 * n.x, r.chore_id, r.remind_at + 1000 * n.x, r.status
        FROM reminder AS r, n
        """
      )
      try await server.services.database.write { transaction in try transaction.statement(statement).run() }
    }
    let limit: @Sendable (inout Configuration) -> Void = { $0.databaseLimits.writeSteps = 600_000 }
    try await TestServer.run(in: directory, log: log.logger, configure: limit) { server in
      server.clock.advance(seconds: Self.toMidnight)
      while try server.rows("SELECT count(*) FROM chore WHERE period = '2026-11-22'", columns: 1) != [[48]] {
        try #require(!log.messages.contains { $0.hasPrefix("Scheduled work failed") }, "\(log.messages)")
        await Task.yield()
      }
      let reminders = "SELECT count(*) FROM reminder JOIN chore ON chore.id = chore_id WHERE period = '2026-11-22'"
      #expect(try server.rows(reminders, columns: 1) == [[4_800]])
    }
  }

  @Test func `a family changes its time zone a limited number of times`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server, timeZone: "Europe/Vienna")
      let key = try #require(server.services.cipher.key(of: family.household.familyID))
      let caller = RateLimits.Caller(subject: .family(key))
      let taken = server.services.rateLimits.take(.timeZoneChange, count: 28, by: caller, at: server.clock.clock.now())
      #expect(taken == nil)
      try await family.move(to: "UTC")
      // It is no change.
      for _ in 0..<3 { try await family.move(to: "UTC") }
      let vienna: Value = ["input": ["name": "Lovelace", "timeZone": "Europe/Vienna"]]
      #expect(try await family.client.perform(Documents.updateFamily, vienna).codes == ["RATE_LIMITED"])
      #expect(try await family.client.ask("{ family { timeZone } }")["data.family.timeZone"] == "UTC")
      server.clock.advance(seconds: 600)
      try await family.move(to: "Europe/Vienna")
    }
  }

  @Test(.onlySQLite("The trigger is written for it."))
  func `a turn that fails does not delay those of others, is logged once, and is tried again later`() async throws {
    let log = RecordedLog()
    try await TestServer.run(log: log.logger) { server in
      let failing = try await RepeatingChores(on: server)
      try await failing.add("Feed the cat", "DAILY")
      let other = try await Household("Grace Hopper", on: server)
      let walk: Value = ["input": ["name": "Walk", "frequency": "DAILY"]]
      #expect(try await other.parent.perform(Documents.addChore, walk).userErrors == [])
      let key = try #require(server.services.cipher.key(of: failing.household.familyID)).rawValue
      let trigger = StatementText(
        """
        CREATE TRIGGER no_copy BEFORE INSERT ON chore WHEN NEW.family_id = \(key)
        BEGIN SELECT RAISE(ABORT, 'no copy'); END
        """
      )
      let database = server.services.database
      try await database.write { transaction in try transaction.statement(trigger).run() }
      let copies = { (condition: String) in
        try server.rows(
          "SELECT count(*) FROM chore WHERE period = '2026-11-22' AND family_id \(condition) \(key)",
          columns: 1
        )
      }
      server.clock.advance(seconds: Self.toMidnight)
      while try copies("<>") != [[1]] {
        server.clock.advance(seconds: 1)
        await Task.yield()
      }
      let failure = "A family's turn of a period fails"
      while !log.messages.contains(where: { $0.hasPrefix(failure) }) {
        server.clock.advance(seconds: 1)
        await Task.yield()
      }
      #expect(try copies("=") == [[0]])

      let end = StatementText("DROP TRIGGER no_copy")
      try await database.write { transaction in try transaction.statement(end).run() }
      while try copies("=") != [[1]] {
        server.clock.advance(seconds: 60)
        await Task.yield()
      }
      #expect(log.messages.filter { $0.hasPrefix(failure) }.count == 1)
    }
  }

  private func add(_ frequency: String, to family: RepeatingChores) async throws -> Outcome {
    try await family.client.perform(
      Documents.addChore,
      ["input": ["name": "One more", "frequency": .string(frequency)]]
    )
  }

  /// Adds repeating chores, several in a request.
  private func repeatChores(
    _ count: Int,
    of family: RepeatingChores,
    reminders: Value = [],
    on server: TestServer
  ) async throws {
    for start in stride(from: 0, to: count, by: 50) {
      let fields = (start..<min(start + 50, count)).map { number in
        """
        c\(number): addChore(input: {name: "Chore \(number)", frequency: DAILY, remindAt: $times}) { userErrors { code } }
        """
      }
      let document = "mutation ($times: [DateTime!]) { \(fields.joined(separator: " ")) }"
      let answer = try await family.client.ask(document, ["times": reminders])
      #expect(answer["errors"] == .null)
    }
  }
}
