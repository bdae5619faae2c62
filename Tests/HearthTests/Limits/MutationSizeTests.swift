import Testing

@testable import Hearth

@Suite("What a family's mutations may store")
struct MutationSizeTests {
  @Test func `mutations of a family are limited by the size of their texts`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let carole = try await Household(on: server, email: "carole@example.com", name: "Carole Hendricks")
      let family = try #require(server.services.cipher.key(of: ada.familyID))
      let burst = try #require(LimitedAction.mutation.limits.subject).burst
      // Leaves 10 KiB.
      let caller = RateLimits.Caller(subject: .family(family))
      let now = server.clock.clock.now()
      #expect(server.services.rateLimits.take(.mutation, count: burst - 10, by: caller, at: now) == nil)
      func add(_ name: String, notes: String? = nil, in household: Household) async throws -> [String] {
        var input: Value = ["name": .string(name)]
        if let notes { input = input.setting("notes", .string(notes)) }
        return try await household.parent.perform(Documents.addChore, ["input": input]).codes
      }
      let notes = String(repeating: "😀", count: 2_000)
      #expect(try await add("Feed the cat", notes: notes, in: ada) == [])
      #expect(try await add("Feed the dog", notes: notes, in: ada) == ["RATE_LIMITED"])
      #expect(try await add("Feed the dog", notes: notes, in: carole) == [])
      // 2 KiB are left, which short ones use up.
      for _ in 0..<2 { #expect(try await add("Water the plants", in: ada) == []) }
      #expect(try await add("Water the plants", in: ada) == ["RATE_LIMITED"])
      server.clock.advance(seconds: 1)
      for _ in 0..<5 { #expect(try await add("Water the plants", in: ada) == []) }
      #expect(try await add("Water the plants", in: ada) == ["RATE_LIMITED"])
    }
  }
}
