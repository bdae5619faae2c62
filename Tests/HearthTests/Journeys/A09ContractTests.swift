import Testing

@testable import Hearth

@Suite("A9: contract")
struct A09ContractTests {
  @Test func `a page of contracts has twenty, also if first is null`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      for _ in 0..<21 { _ = try await ada.makeContract(with: mia) }
      let page = "{ nodes { id } pageInfo { hasNextPage } }"
      let answer = try await ada.parent.ask(
        "{ family { children { usual: contracts \(page) null: contracts(first: null) \(page) } } }"
      )
      for name in ["usual", "null"] {
        let page = answer["data.family.children.0.\(name)"]
        #expect(page["nodes"].list.count == 20)
        #expect(page["pageInfo.hasNextPage"] == true)
      }
    }
  }

  @Test func `a contract shows at once on the child`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let outcome = try await ada.parent.perform(
        Documents.makeContract,
        [
          "input": [
            "childId": .string(mia), "description": " For a month.\nOr two. ", "maxPoints": 10,
            "levels": [["points": 3, "award": " Ice cream "], ["points": 7, "award": "Bicycle"]],
          ]
        ]
      )
      #expect(outcome.userErrors.isEmpty)
      let contract = outcome["contract"]
      #expect(contract["description"] == "For a month.\nOr two.")
      #expect(contract["maxPoints"] == 10)
      #expect(contract["points"] == 0)
      #expect(contract["progress"] == 0)
      #expect(contract["active"] == true)
      #expect(
        contract["levels"] == [
          ["level": 1, "points": 3, "award": "Ice cream", "reached": false],
          ["level": 2, "points": 7, "award": "Bicycle", "reached": false],
        ]
      )
      #expect(
        contract["child"] == ["id": .string(mia), "points": 0, "prizeLevel": nil, "contract": ["id": contract["id"]]]
      )
    }
  }

  @Test func `points climb its levels`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      _ = try await ada.makeContract(with: mia, maxPoints: 5, levels: [(1, "Sticker"), (4, "Cinema")])
      let chore = try await ada.addChore()
      let reached: [(Int, Value, Double)] = [(1, 1, 0.2), (3, 1, 0.8), (1, 2, 1), (3, 2, 1)]
      var points = 0
      for (more, level, progress) in reached {
        points += more
        let child = try await ada.assign([(chore, more)], to: mia, again: true)["child"]
        #expect(child["points"] == .number(Double(points)))
        #expect(child["prizeLevel.level"] == level)
        #expect(child["contract"] == ["points": .number(Double(points)), "progress": .number(progress)])
      }
    }
  }

  @Test func `a new contract replaces the old one, and the history stays`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let old = try await ada.makeContract(with: mia, maxPoints: 5, levels: [(2, "Sticker")])
      let chore = try await ada.addChore()
      _ = try await ada.assign([(chore, 3)], to: mia)
      let new = try await ada.makeContract(with: mia, maxPoints: 20)
      let child = try await ada.parent.ask(
        """
        { family { children { points achievementPoints prizeLevel { level } contract { id active points levels { level } }
          contracts { nodes { id active points levels { reached } } } } } }
        """
      )["data.family.children.0"]
      #expect(child["points"] == 0)
      #expect(child["achievementPoints"] == 3)
      #expect(child["prizeLevel"] == .null)
      #expect(child["contract"] == ["id": .string(new), "active": true, "points": 0, "levels": []])
      #expect(
        child["contracts.nodes"] == [
          ["id": .string(new), "active": true, "points": 0, "levels": []],
          ["id": .string(old), "active": false, "points": 3, "levels": [["reached": true]]],
        ]
      )
    }
  }

  @Test func `all invalid fields are reported at once, and no contract is created`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      _ = try await ada.makeContract(with: mia, maxPoints: 5, levels: [(2, "Sticker")])
      let others = try await Household(on: server, email: "other@example.com")
      let theirs = try await others.addChild("Mia")
      func levels(_ points: Int..., award: String = "Comic") -> Value {
        .array(points.map { ["points": .number(Double($0)), "award": .string(award)] })
      }
      let rejected: [(Value, [String])] = [
        (["maxPoints": 0], ["input.maxPoints OUT_OF_RANGE"]),
        (["maxPoints": -5], ["input.maxPoints OUT_OF_RANGE"]),
        (["maxPoints": 2_000_000], ["input.maxPoints OUT_OF_RANGE"]),
        (["levels": levels(0)], ["input.levels.0.points OUT_OF_RANGE"]),
        (["levels": levels(5, 11)], ["input.levels.1.points OUT_OF_RANGE"]),
        (["levels": levels(5, 6)], ["input.levels OUT_OF_RANGE"]),
        (["levels": levels(5, award: "  ")], ["input.levels.0.award BLANK"]),
        (["levels": levels(5, award: String(repeating: "a", count: 101))], ["input.levels.0.award TOO_LONG"]),
        (
          ["maxPoints": 100, "levels": .array(Array(repeating: ["points": 1, "award": "Comic"], count: 21))],
          ["input.levels TOO_LONG"]
        ),
        (["description": .string(String(repeating: "d", count: 2001))], ["input.description TOO_LONG"]),
        (["childId": "nobody"], ["input.childId NOT_FOUND"]),
        (["childId": .string(theirs)], ["input.childId NOT_FOUND"]),
        (["childId": .string(ada.personID)], ["input.childId NOT_FOUND"]),
        (
          [
            "childId": .string(theirs), "maxPoints": 0, "description": "\u{0}",
            "levels": [
              ["points": 0, "award": ""], ["points": 1, "award": "Comic"], ["points": -1, "award": "\u{7}"],
            ],
          ],
          [
            "input.childId NOT_FOUND", "input.description INVALID", "input.levels.0.award BLANK",
            "input.levels.0.points OUT_OF_RANGE", "input.levels.2.award INVALID", "input.levels.2.points OUT_OF_RANGE",
            "input.maxPoints OUT_OF_RANGE",
          ]
        ),
      ]
      let before = try await (ada.everything(), others.everything())
      for (fault, expected) in rejected {
        let input = (["childId": .string(mia), "maxPoints": 10, "levels": []] as Value).merging(fault)
        let outcome = try await ada.parent.perform(Documents.makeContract, ["input": input])
        #expect(outcome.userErrors == expected, "\(fault)")
        #expect(outcome["contract"] == .null)
      }
      #expect(try await ada.everything() == before.0)
      #expect(try await others.everything() == before.1)
    }
  }

  @Test func `a string for maxPoints is a validation error that names the variable`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let answer = try await ada.parent.post(
        Documents.makeContract,
        ["input": ["childId": .string(mia), "maxPoints": "ten", "levels": []]]
      )
      #expect(answer.status == 422)
      #expect(answer.codes == ["BAD_USER_INPUT"])
      #expect(
        answer.json["errors.0.message"]
          == "Variable \"$input\" got invalid value \"ten\" at \"input.maxPoints\"; Int cannot represent non-integer value: \"ten\""
      )
      #expect(answer.json["errors.0.locations"] == [["line": 1, "column": 11]])
    }
  }
}
