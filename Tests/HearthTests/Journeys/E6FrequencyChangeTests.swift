import Testing

@testable import Hearth

/// The clock begins on Saturday, 21 November 2026, at 08:00 UTC.
@Suite("E6: how often a chore repeats is changed")
struct E6FrequencyChangeTests {
  /// The only chore that is copied into the next period; null if no chore is copied.
  private func preload(_ family: RepeatingChores, _ frequency: Value) async throws -> Value {
    let outcome = try await family.client.perform(Documents.preloadChores, ["input": ["frequency": frequency]])
    #expect(outcome["chores"].list.count <= 1)
    return outcome["chores.0"]
  }

  @Test func `an older occurrence does not change it, even after the newest has changed it`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let old = try await family.add("Feed the cat", "WEEKLY")
      let copy = try await preload(family, "WEEKLY")
      #expect(copy["copiedFrom.id"] == old["id"])
      #expect(try await family.update(old, ["frequency": "DAILY"]).userErrors == ["input.frequency CONFLICT"])
      for changed in ["DAILY", "MONTHLY", "ONCE"] as [Value] {
        #expect(try await family.update(copy, ["frequency": changed]).userErrors == [])
        for frequency in ["DAILY", "MONTHLY", "ONCE"] as [Value] {
          let outcome = try await family.update(old, ["frequency": frequency])
          #expect(outcome.userErrors == ["input.frequency CONFLICT"])
        }
        #expect(try await family.update(old, ["frequency": "WEEKLY"]).userErrors == [])
        #expect(try await preload(family, "WEEKLY") == .null)
      }
    }
  }

  @Test func `a chore whose newer occurrence was removed repeats again once its frequency is given`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let chore = try await family.add("Feed the cat", "DAILY")
      let copy = try await preload(family, "DAILY")
      let removed = try await family.client.perform(Documents.removeChore, ["id": copy["id"]])
      #expect(removed["removedId"] == copy["id"])
      #expect(try await family.update(chore, ["notes": "The cat next door too."]).userErrors == [])
      #expect(try await preload(family, "DAILY") == .null)
      #expect(try await family.update(chore, ["frequency": "DAILY"]).userErrors == [])
      let again = try await preload(family, "DAILY")
      #expect(again["period"] == "2026-11-22")
      #expect(again["copiedFrom.id"] == chore["id"])
      // It repeats once, however often the frequency is given.
      for occurrence in [chore, again] {
        #expect(try await family.update(occurrence, ["frequency": "DAILY"]).userErrors == [])
      }
      #expect(try await preload(family, "DAILY") == .null)
    }
  }

  @Test func `a chore that repeats no more belongs to no period`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      let chore = try await family.add("Feed the cat", "WEEKLY", ["dueAt": "2026-11-22T18:00:00Z"])
      func listed() async throws -> Value {
        let answer = try await family.client.ask(RepeatingChores.list, ["filter": ["period": "2026-W47"]])
        return answer["data.family.chores.totalCount"]
      }
      #expect(try await listed() == 1)
      #expect(try await family.update(chore, ["frequency": "ONCE"]).userErrors == [])
      #expect(try await family.occurrences(of: "cat").map { $0["period"] } == [.null])
      #expect(try await listed() == 0)
      #expect(try await family.update(chore, ["frequency": "WEEKLY"]).userErrors == [])
      #expect(try await family.occurrences(of: "cat").map { $0["period"] } == ["2026-W47"])
      #expect(try await preload(family, "WEEKLY")["dueAt"] == "2026-11-29T18:00:00Z")
    }
  }

  @Test func `an open occurrence is archived after its period if the newest has another frequency`() async throws {
    try await RepeatingChores.run { server in
      let family = try await RepeatingChores(on: server)
      try await family.add("Feed the cat", "DAILY")
      let dog = try await family.add("Walk the dog", "DAILY")
      let daily: Value = ["input": ["frequency": "DAILY"]]
      let copies = try await family.client.perform(Documents.preloadChores, daily)["chores"].list
      #expect(copies.count == 2)
      // This occurrence stays open for a day longer.
      #expect(try await family.update(dog, ["dueAt": "2026-11-22T12:00:00Z"]).userErrors == [])
      for copy in copies { #expect(try await family.update(copy, ["frequency": "MONTHLY"]).userErrors == []) }
      server.clock.advance(seconds: 16 * 3_600)
      let cats = try await family.occurrences(of: "cat") { $0.last?["status"] == "ARCHIVED" }
      #expect(cats.map { $0["status"] } == ["OPEN", "ARCHIVED"])
      #expect(try await family.occurrences(of: "dog").map { $0["status"] } == ["OPEN", "OPEN"])
      server.clock.advance(days: 1)
      let dogs = try await family.occurrences(of: "dog") { $0.last?["status"] == "ARCHIVED" }
      #expect(dogs.map { $0["status"] } == ["OPEN", "ARCHIVED"])
    }
  }
}
