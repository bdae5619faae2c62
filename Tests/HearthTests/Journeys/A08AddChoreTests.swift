import Testing

@testable import Hearth

@Suite("A8: add a chore")
struct A08AddChoreTests {
  @Test func `a name is enough, and gives the placeholder`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let outcome = try await ada.parent.perform(Documents.addChore, ["input": ["name": " Feed the cat "]])
      #expect(outcome.userErrors.isEmpty)
      let chore = outcome["chore"]
      #expect(chore["name"] == "Feed the cat")
      #expect(chore["notes"] == .null)
      #expect(chore["priority"] == 5)
      #expect(chore["dueAt"] == .null)
      #expect(chore["frequency"] == "ONCE")
      #expect(chore["status"] == "OPEN")
      #expect(chore["createdAt"] == "2026-11-21T08:00:00Z")
      #expect(chore["updatedAt"] == chore["createdAt"])
      #expect(chore["image.placeholder"] == true)
      #expect(chore["assignees"] == [])
      #expect(chore["createdBy"] == ["id": .string(ada.personID), "name": "Ada Lovelace"])
      #expect(chore["family.id"] == .string(ada.familyID))
      let url = try #require(chore["image.url"].string)
      let picture = try await server.http.get(String(url.dropFirst("http://127.0.0.1:\(server.port)".count)))
      #expect(picture.status == 200)
      #expect(picture.body.count == chore["image.byteCount"].int)
    }
  }

  @Test func `all that can be said of a chore is kept`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let ben = try await ada.addChild("Ben")
      let outcome = try await ada.parent.perform(
        Documents.addChore,
        [
          "input": [
            "name": "Walk the dog", "notes": "  Round the lake.\n\tNot through it.  ", "priority": 10,
            "dueAt": "2026-11-22T09:30:00+02:00", "frequency": "WEEKLY",
            "assigneeIds": [.string(ben), .string(mia), .string(ben), .string(ada.personID), .string(ada.accountID)],
          ]
        ]
      )
      #expect(outcome.userErrors.isEmpty)
      let chore = outcome["chore"]
      #expect(chore["notes"] == "Round the lake.\n\tNot through it.")
      #expect(chore["priority"] == 10)
      #expect(chore["dueAt"] == "2026-11-22T07:30:00Z")
      #expect(chore["frequency"] == "WEEKLY")
      #expect(Set(chore["assignees"].each("id")) == [.string(mia), .string(ben), .string(ada.personID)])
      #expect(chore["assignees"].list.count == 3)
      let shown = try await ada.parent.ask(
        "{ family { children { name assignedChores { nodes { id name } } } } }"
      )
      for index in 0..<2 {
        #expect(shown["data.family.children.\(index).assignedChores.nodes"].each("id") == [chore["id"]])
      }
    }
  }

  @Test func `the same name again is another chore`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let first = try await ada.addChore("Feed the cat")
      let second = try await ada.addChore("Feed the cat")
      #expect(first != second)
      #expect(try await ada.everything()["data.family.chores.totalCount"] == 2)
    }
  }

  @Test func `all invalid fields are reported at once, and no chore is added`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let others = try await Household(on: server, email: "other@example.com")
      let theirs = try await others.addChild("Mia")
      let chore = try await others.addChore()
      let long = Value.string(String(repeating: "n", count: 2001))
      let rejected: [(Value, [String])] = [
        (["name": ""], ["input.name BLANK"]),
        (["name": "  "], ["input.name BLANK"]),
        (["name": "Feed\u{0}"], ["input.name INVALID"]),
        (["name": "Feed\nthe cat"], ["input.name INVALID"]),
        (["name": long], ["input.name TOO_LONG"]),
        (["notes": long], ["input.notes TOO_LONG"]),
        (["notes": "\u{1B}[31m"], ["input.notes INVALID"]),
        (["priority": 0], ["input.priority OUT_OF_RANGE"]),
        (["priority": 11], ["input.priority OUT_OF_RANGE"]),
        (["assigneeIds": [.string(mia), "nonsense"]], ["input.assigneeIds.1 NOT_FOUND"]),
        (["assigneeIds": [.string(theirs), .string(mia)]], ["input.assigneeIds.0 NOT_FOUND"]),
        (["assigneeIds": [.string(others.personID)]], ["input.assigneeIds.0 NOT_FOUND"]),
        (
          ["assigneeIds": [.string(chore), .string(ada.familyID)]],
          ["input.assigneeIds.0 NOT_FOUND", "input.assigneeIds.1 NOT_FOUND"]
        ),
        (
          ["name": "", "notes": long, "priority": 99, "assigneeIds": ["", .string(mia)]],
          ["input.assigneeIds.0 NOT_FOUND", "input.name BLANK", "input.notes TOO_LONG", "input.priority OUT_OF_RANGE"]
        ),
      ]
      let before = try await ada.everything()
      for (fault, expected) in rejected {
        let input = (["name": "Feed the cat"] as Value).merging(fault)
        let outcome = try await ada.parent.perform(Documents.addChore, ["input": input])
        #expect(outcome.userErrors == expected, "\(fault)")
        #expect(outcome["chore"] == .null)
      }
      #expect(try await ada.everything() == before)
    }
  }

  private static let unreadable: [Value] = [
    ["priority": "high"], ["priority": 1.5], ["priority": 3_000_000_000], ["dueAt": "tomorrow"],
    ["dueAt": "2026-11-22T09:30:00"], ["dueAt": "2026-02-30T09:30:00Z"], ["dueAt": 1], ["frequency": "YEARLY"],
    ["assigneeIds": [nil]], ["name": 5],
  ]

  @Test func `a field of another type is a validation error that names the variable`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      await checkEach(Self.unreadable) { fault in
        let input = (["name": "Feed the cat"] as Value).merging(fault)
        let answer = try await ada.parent.post(Documents.addChore, ["input": input])
        #expect(answer.status == 422, "\(fault)")
        #expect(answer.codes == ["BAD_USER_INPUT"], "\(fault)")
        #expect(answer.json["errors.0.message"].string?.contains("$input") == true, "\(fault): \(answer.text)")
      }
    }
  }

  @Test func `a list of assignees without end is too long`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let input: Value = ["name": "Feed the cat", "assigneeIds": .array(Array(repeating: "x", count: 20_000))]
      let outcome = try await ada.parent.perform(Documents.addChore, ["input": input])
      #expect(outcome.userErrors == ["input.assigneeIds TOO_LONG"])
    }
  }
}
