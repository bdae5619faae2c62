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

  @Test func `each field that is wrong is told, all of them at once, and nothing changes`() async throws {
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
