import Testing

@testable import Hearth

@Suite("C3: add a child with username, age and gender")
struct C3AddChildTests {
  static func input(_ username: String, age: Value = 8) -> Value {
    ["input": ["name": "Tom", "username": .string(username), "birth": ["age": age], "gender": "MALE"]]
  }

  @Test(arguments: [(0, "2026-11-21"), (1, "2025-11-21"), (8, "2018-11-21"), (130, "1896-11-21")])
  func `an age is enough, and 0 is a baby`(age: Int, birthday: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let outcome = try await ada.parent.perform(Documents.addChild, Self.input("Tom.B-1_x", age: .number(Double(age))))
      #expect(outcome.userErrors.isEmpty)
      #expect(outcome["child.username"] == "Tom.B-1_x")
      #expect(outcome["child.age"].int == age)
      #expect(outcome["child.dateOfBirth"] == .string(birthday))
      #expect(outcome["child.gender"] == "MALE")
    }
  }

  @Test func `a negative age, or one over 130, is rejected`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for age in [-1, 131, 2_147_483_647, -2_147_483_648] {
        let outcome = try await ada.parent.perform(Documents.addChild, Self.input("tom", age: .number(Double(age))))
        #expect(outcome.userErrors == ["input.birth.age OUT_OF_RANGE"])
      }
      for age in ["eight", 8.5, 3_000_000_000, true] as [Value] {
        let answer = try await ada.parent.post(Documents.addChild, Self.input("tom", age: age))
        #expect(answer.status == 422)
        #expect(answer.json["errors.0.message"].string?.contains("input.birth.age") == true)
      }
    }
  }

  @Test func `a username that exists anywhere is rejected, in any letter case`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let other = try await Household(on: server, email: "other@example.com")
      _ = try await ada.addChild("Tom", username: "Tom-É")
      for username in ["Tom-É", "tom-é", "TOM-É", " tom-e\u{301} "] {
        for household in [ada, other] {
          let outcome = try await household.parent.perform(Documents.addChild, Self.input(username))
          #expect(outcome.userErrors == ["input.username TAKEN"], "\(username)")
        }
      }
      #expect(try await other.everything()["data.family.children"] == [])
    }
  }

  @Test func `a family finds out 20 taken usernames a day, and then no more`() async throws {
    try await TestServer.run { server in
      let (ada, other) = (try await Household(on: server), try await Household(on: server, email: "o@example.com"))
      _ = try await other.addChild("Tom", username: "tom")
      let mia = try await ada.addChild("Mia", username: "mia")
      func choose(_ username: String, by household: Household = ada) async throws -> Outcome {
        try await household.parent.perform(Documents.addChild, Self.input(username))
      }
      func rename(to username: String) async throws -> Outcome {
        let input: Value = ["id": .string(mia), "username": .string(username)]
        return try await ada.parent.perform(
          """
          mutation ($input: UpdateChildProfileInput!) { updateChildProfile(input: $input) {
            child { id } userErrors { field code message } } }
          """,
          ["input": input]
        )
      }
      // Free ones, and the child's own, do not count.
      for number in 0..<3 { #expect(try await choose("free\(number)").userErrors == []) }
      #expect(try await rename(to: "mia").userErrors == [])
      for number in 0..<20 {
        let outcome = try await number.isMultiple(of: 2) ? choose("tom") : rename(to: "tom")
        #expect(outcome.userErrors == ["input.username TAKEN"])
      }
      // Whether it is taken or free.
      for username in ["tom", "free4"] {
        for outcome in [try await choose(username), try await rename(to: username)] {
          #expect(outcome.codes == ["RATE_LIMITED"])
          #expect(outcome.errors.list.first?["extensions.retryAfter"].int == 4_320)
        }
      }
      _ = try await ada.addChild("Ben")
      #expect(try await choose("tom", by: other).userErrors == ["input.username TAKEN"])
      server.clock.advance(seconds: 4_320)
      let again = try await ada.signedInAgain(on: server)
      #expect(try await choose("tom", by: again).userErrors == ["input.username TAKEN"])
      #expect(try await choose("free4", by: again).codes == ["RATE_LIMITED"])
    }
  }

  @Test func `of many who take a username at the same moment, one gets it`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let errors = try await withThrowingTaskGroup { group in
        for _ in 0..<8 {
          let parent = ada.parent.another
          group.addTask { try await parent.perform(Documents.addChild, Self.input("tom")).userErrors }
        }
        return try await group.reduce(into: [[String]]()) { $0.append($1) }
      }
      #expect(errors.count { $0.isEmpty } == 1)
      #expect(errors.count { $0 == ["input.username TAKEN"] } == 7)
    }
  }
}
