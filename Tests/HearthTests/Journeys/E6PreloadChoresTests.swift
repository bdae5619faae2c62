import Storage
import Testing

@testable import Hearth

/// The clock begins on Saturday, 21 November 2026, at 08:00 UTC.
@Suite("E6: chores are preloaded by hand")
struct E6PreloadChoresTests {
  private func preload(_ family: RepeatingChores, _ input: Value) async throws -> Outcome {
    try await family.client.perform(Documents.preloadChores, ["input": input])
  }

  @Test(arguments: [
    ("DAILY", "2026-11-22", "2026-11-22T18:00:00Z"), ("WEEKLY", "2026-W48", "2026-11-28T18:00:00Z"),
    ("MONTHLY", "2026-12", "2026-12-21T18:00:00Z"),
  ])
  func `the next period's are copied, once, and not again when it comes`(
    frequency: String,
    next: String,
    dueAt: String
  ) async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let chore = try await family.add("Feed the cat", frequency, ["dueAt": "2026-11-21T18:00:00Z"])
      try await family.add("Another day", frequency == "DAILY" ? "WEEKLY" : "DAILY")
      let outcome = try await preload(family, ["frequency": .string(frequency)])
      #expect(outcome.userErrors.isEmpty)
      #expect(
        outcome["chores"] == [
          [
            "id": outcome["chores.0.id"], "name": "Feed the cat", "period": .string(next), "dueAt": .string(dueAt),
            "status": "OPEN", "frequency": .string(frequency), "copiedFrom": ["id": chore["id"]],
          ]
        ]
      )
      #expect(try await preload(family, ["frequency": .string(frequency)])["chores"] == [])
      #expect(try await preload(family, ["frequency": .string(frequency), "period": .string(next)])["chores"] == [])
      let current = try #require(chore["period"].string)
      #expect(try await preload(family, ["frequency": .string(frequency), "period": .string(current)])["chores"] == [])
      // Current chores are still open.
      #expect(try await family.occurrences(of: "cat").map { $0["status"] } == ["OPEN", "OPEN"])
      try await family.add("Marker", "DAILY")
      // Up to the first of December.
      for day in 0..<10 {
        server.clock.advance(seconds: day == 0 ? 16 * 3_600 : 86_400)
        _ = try await family.occurrences(of: "Marker", whenThereAre: day + 2)
      }
      let found = try await family.occurrences(of: "cat").map { $0["period"] }
      #expect(found.count == Set(found.compactMap(\.string)).count)
      #expect(found.filter { $0 == .string(next) }.count == 1)
      #expect(try await family.occurrences(of: "cat").last?["status"] == "ARCHIVED")
    }
  }

  @Test func `at the same time from two devices, it is copied once`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      for number in 0..<10 { try await family.add("Chore \(number)", "WEEKLY") }
      let clients = (0..<4).map { _ in family.client.another }
      let copied = try await withThrowingTaskGroup(of: Int.self) { group in
        for client in clients {
          group.addTask {
            let input: Value = ["input": ["frequency": "WEEKLY"]]
            return try await client.perform(Documents.preloadChores, input)["chores"].list.count
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(copied == 10)
      let all = try await family.client.ask(RepeatingChores.list, ["filter": ["period": "2026-W48"]])
      #expect(all["data.family.chores.totalCount"] == 10)
    }
  }

  /// A thousand times the only chore, as series of their own.
  static let thousandMore = SQL<[Int64]>(
    """
    INSERT INTO chore (family_id, id, name, name_key, priority, frequency, status, assignees, created_by, created_at, \
    updated_at, period, series_id, repeats) SELECT family_id, c.id + (1000000 + k.value) * 64, name, name_key, \
    priority, frequency, status, assignees, created_by, created_at, updated_at, period, \
    c.id + (1000000 + k.value) * 64, repeats FROM \(table: \.self) AS k \(join: .asWritten) chore AS c ON true
    """
  )

  @Test func `a call copies at most 1,000, and the next ones copy the rest`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Feed the cat", "WEEKLY")
      try await server.services.database.write { transaction in
        try transaction.run(Self.thousandMore, Array(1...1_000))
      }
      var copied: [Value] = []
      for count in [1_000, 1, 0] {
        let outcome = try await preload(family, ["frequency": "WEEKLY"])
        #expect(outcome.userErrors == [])
        #expect(outcome["chores"].list.count == count)
        copied += outcome["chores"].list
      }
      #expect(copied.allSatisfy { $0["period"] == "2026-W48" })
      #expect(Set(copied.compactMap { $0["copiedFrom.id"].string }).count == 1_001)
    }
  }

  @Test func `many are copied in several writes, which a repeated request does not repeat`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Feed the cat", "WEEKLY")
      try await server.services.database.write { transaction in
        try transaction.run(Self.thousandMore, Array(1...249))
      }
      func send() async throws -> HTTPAnswer {
        let request: Value = [
          "query": .string(Documents.preloadChores), "variables": ["input": ["frequency": "WEEKLY"]],
          "extensions": ["idempotencyKey": "one"],
        ]
        let headers = family.client.token.map { [("Authorization", "Bearer \($0)")] } ?? []
        return try await family.client.http.post(request.text, headers: headers)
      }
      let first = try await send()
      let copied = first.json["data.preloadChores.chores"].list
      try #require(copied.count == 250)
      // Three writes. The response is too long to be kept.
      #expect(try server.rows("SELECT count(*) FROM idempotent_write", columns: 1) == [[3]])
      // As if the server had stopped before the last write.
      try await server.services.database.write { transaction in
        let last = "step = 0 OR step = (SELECT max(step) FROM idempotent_write)"
        try transaction.statement(WrittenOnce.sql("DELETE FROM idempotent_write WHERE \(last)")).run()
      }
      // The chores of the last write were there already.
      let again = try await send()
      #expect(again.json["data.preloadChores.chores"].list == Array(copied[..<200]))
      try await server.services.database.write { transaction in
        try transaction.statement(WrittenOnce.sql("DELETE FROM idempotent_write WHERE step = 0")).run()
      }
      #expect(try await send().body == again.body)
    }
  }

  @Test func `copies of the current period, which its turn has not made yet, are listed too`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let chore = try await family.add("Feed the cat", "DAILY")
      try await server.services.database.write { transaction in
        try transaction.statement(StatementText("UPDATE chore SET period = '2026-11-20'")).run()
      }
      let outcome = try await preload(family, ["frequency": "DAILY"])
      #expect(outcome["chores"].each("period") == ["2026-11-21", "2026-11-22"])
      #expect(outcome["chores"].each("copiedFrom.id") == [chore["id"], outcome["chores.0.id"]])
    }
  }

  @Test func `an invalid period, or one too far ahead, is rejected`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server, timeZone: "Pacific/Kiritimati")
      try await family.add("Feed the cat", "WEEKLY")
      let before = try await family.household.everything()
      let rejected: [(Value, [String])] = [
        (["frequency": "ONCE"], ["input.frequency INVALID"]),
        (["frequency": "ONCE", "period": "2026-W48"], ["input.frequency INVALID"]),
        (["frequency": "WEEKLY", "period": "2026-11"], ["input.period INVALID"]),
        (["frequency": "WEEKLY", "period": "2026-W54"], ["input.period INVALID"]),
        (["frequency": "WEEKLY", "period": ""], ["input.period INVALID"]),
        (["frequency": "WEEKLY", "period": "2026-W46"], ["input.period OUT_OF_RANGE"]),
        (["frequency": "WEEKLY", "period": "2026-W49"], ["input.period OUT_OF_RANGE"]),
        (["frequency": "MONTHLY", "period": "2027-01"], ["input.period OUT_OF_RANGE"]),
        (["frequency": "DAILY", "period": "2026-11-23"], ["input.period OUT_OF_RANGE"]),
        (["frequency": "DAILY", "period": "2026-02-29"], ["input.period INVALID"]),
      ]
      for (input, expected) in rejected {
        let outcome = try await preload(family, input)
        #expect(outcome.userErrors == expected, "\(input)")
        #expect(outcome["chores"] == [])
      }
      #expect(try await family.household.everything() == before)
    }
  }

  @Test func `nobody preloads another family's chores`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Feed the cat", "WEEKLY")
      let other = try await Household(on: server, email: "grace@example.com")
      let input: Value = ["input": ["frequency": "WEEKLY"]]
      #expect(try await other.parent.perform(Documents.preloadChores, input)["chores"] == [])
      #expect(try await server.visitor.perform(Documents.preloadChores, input).codes == ["UNAUTHENTICATED"])
      #expect(try await family.occurrences(of: "cat").count == 1)
    }
  }
}
