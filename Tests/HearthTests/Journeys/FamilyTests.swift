import Testing

@testable import Hearth

@Suite("A family's name and time zone")
struct FamilyTests {
  @Test(arguments: ["Europe/Paris", "Asia/Kolkata", "America/Argentina/Buenos_Aires", "Etc/GMT+3", "UTC"])
  func `a zone of the IANA database is taken`(zone: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let outcome = try await ada.parent.perform(Documents.updateFamily, ["input": ["timeZone": .string(zone)]])
      #expect(outcome.userErrors.isEmpty)
      #expect(
        outcome["family"] == ["id": .string(ada.familyID), "name": "Lovelace family", "timeZone": .string(zone)]
      )
      let named = try await ada.parent.perform(Documents.updateFamily, ["input": ["name": " The Lovelaces "]])
      #expect(named["family.name"] == "The Lovelaces")
      #expect(named["family.timeZone"] == .string(zone))
    }
  }

  @Test func `its children's ages are as of its own day`() async throws {
    try await TestServer.run(configure: { $0.accessTokenLifetime = 86_400 }) { server in
      let ada = try await Household(on: server)
      let input: Value = ["name": "Mia", "birth": ["dateOfBirth": "2018-11-22"]]
      #expect(try await ada.parent.perform(Documents.addChild, ["input": input])["child.age"] == 7)
      // It is Saturday there, an hour before midnight.
      _ = try await ada.parent.perform(Documents.updateFamily, ["input": ["timeZone": "Asia/Vladivostok"]])
      server.clock.advance(seconds: 5 * 3_600)
      let parent = ada.parent
      let ages = "{ family { children { age } } }"
      #expect(try await parent.ask(ages)["data.family.children"].each("age") == [7])
      let tomorrow: Value = ["name": "Ben", "birth": ["dateOfBirth": "2026-11-22"]]
      #expect(
        try await parent.perform(Documents.addChild, ["input": tomorrow]).userErrors
          == ["input.birth.dateOfBirth OUT_OF_RANGE"]
      )
      server.clock.advance(seconds: 3_600)
      #expect(try await parent.ask(ages)["data.family.children"].each("age") == [8])
      #expect(try await parent.perform(Documents.addChild, ["input": tomorrow]).userErrors.isEmpty)
    }
  }

  @Test func `all invalid fields are reported at once, and nothing changes`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let before = try await ada.everything()
      for zone in ["Europe/Nowhere", "PST", "GMT+3", "europe/paris/x", "../etc/passwd", "/", "Europe/Paris\u{301}"] {
        let outcome = try await ada.parent.perform(Documents.updateFamily, ["input": ["timeZone": .string(zone)]])
        #expect(outcome.userErrors == ["input.timeZone INVALID"], "\(zone)")
      }
      let outcome = try await ada.parent.perform(Documents.updateFamily, ["input": ["name": " ", "timeZone": nil]])
      #expect(outcome.userErrors == ["input.name BLANK", "input.timeZone BLANK"])
      #expect(outcome["family"] == .null)
      #expect(try await ada.everything() == before)
    }
  }
}
