import Testing

@testable import Hearth

@Suite("E1, E2, E4, E5: a chore is changed, viewed and removed")
struct E4UpdateChoreTests {
  static let whole = """
    query ($id: ID!) { node(id: $id) { ... on Chore { id name notes priority dueAt frequency status period updatedAt
      removedAt copiedFrom { id } image { placeholder } assignees { id } family { id } createdBy { id } createdAt } } }
    """

  @Test func `given fields change, absent ones stay, and null clears`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let ben = try await ada.addChild("Ben")
      let chore = try await ada.addChore("Feed the cat", priority: 3, dueAt: "2026-12-01T08:00:00Z", for: [mia])
      server.clock.advance(seconds: 60)
      func update(_ input: Value) async throws -> Value {
        let outcome = try await ada.parent.perform(
          Documents.updateChore,
          ["input": (["id": .string(chore)] as Value).merging(input)]
        )
        #expect(outcome.userErrors.isEmpty)
        return outcome["chore"]
      }
      let all = try await update([
        "name": " Feed the dog ", "notes": "Twice.", "priority": 10, "dueAt": "2026-12-02T09:00:00+01:00",
        "frequency": "DAILY", "assigneeIds": [.string(ben), .string(ada.accountID), .string(ben)],
      ])
      #expect(
        all == [
          "id": .string(chore), "name": "Feed the dog", "notes": "Twice.", "priority": 10,
          "dueAt": "2026-12-02T08:00:00Z", "frequency": "DAILY", "status": "OPEN",
          "createdAt": "2026-11-21T08:00:00Z", "updatedAt": "2026-11-21T08:01:00Z",
          "assignees": [["id": .string(ada.personID)], ["id": .string(ben)]],
        ]
      )
      #expect(try await update([:]) == all)
      let cleared = try await update(["notes": nil, "dueAt": nil])
      #expect(cleared["notes"] == .null)
      #expect(cleared["dueAt"] == .null)
      #expect(cleared["name"] == "Feed the dog")
      #expect(try await update(["assigneeIds": nil])["assignees"] == [])
      let seen = try await ada.parent.ask(Self.whole, ["id": .string(chore)])["data.node"]
      #expect(
        seen == [
          "id": .string(chore), "name": "Feed the dog", "notes": nil, "priority": 10, "dueAt": nil,
          "frequency": "DAILY", "status": "OPEN", "period": "2026-11-21", "updatedAt": "2026-11-21T08:01:00Z",
          "removedAt": nil, "copiedFrom": nil, "image": ["placeholder": true], "assignees": [],
          "family": ["id": .string(ada.familyID)], "createdBy": ["id": .string(ada.personID)],
          "createdAt": "2026-11-21T08:00:00Z",
        ]
      )
    }
  }

  @Test func `a member's list follows: who it is for, how urgent it is, and whether it is done`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let ben = try await ada.addChild("Ben")
      let feed = try await ada.addChore("Feed", priority: 5, for: [mia])
      let walk = try await ada.addChore("Walk", priority: 6, for: [mia, ben])
      func lists() async throws -> [Value] {
        try await ada.parent.ask("{ family { children { assignedChores { totalCount nodes { name } } } } }")[
          "data.family.children"
        ].each("assignedChores").map { .array($0["nodes"].each("name")) }
      }
      func update(_ chore: String, _ input: Value) async throws {
        let outcome = try await ada.parent.perform(
          Documents.updateChore,
          ["input": (["id": .string(chore)] as Value).merging(input)]
        )
        #expect(outcome.userErrors.isEmpty)
      }
      #expect(try await lists() == [["Walk", "Feed"], ["Walk"]])
      try await update(feed, ["priority": 7])
      #expect(try await lists() == [["Feed", "Walk"], ["Walk"]])
      try await update(feed, ["priority": 6, "dueAt": "2026-12-01T08:00:00Z"])
      try await update(walk, ["dueAt": "2026-11-30T08:00:00Z"])
      #expect(try await lists() == [["Walk", "Feed"], ["Walk"]])
      try await update(walk, ["assigneeIds": [.string(mia)]])
      #expect(try await lists() == [["Walk", "Feed"], []])
      for status in ["DONE", "ARCHIVED"] as [Value] {
        try await update(walk, ["status": status])
        #expect(try await lists() == [["Feed"], []])
      }
      try await update(walk, ["status": "OPEN", "assigneeIds": [.string(ben), .string(mia)]])
      #expect(try await lists() == [["Walk", "Feed"], ["Walk"]])
    }
  }

  @Test func `a chore that was done before it was archived is still done by the same member`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let chore = try await ada.addChore("Feed the cat", for: [mia])
      let open = try await ada.addChore("Walk the dog", for: [mia])
      _ = try await ada.assign([(chore, 3)], to: mia)
      server.clock.advance(seconds: 60)
      func finished(_ chore: String, after statuses: [Value]) async throws -> Value {
        for status in statuses {
          let input: Value = ["input": ["id": .string(chore), "status": status]]
          #expect(try await ada.parent.perform(Documents.updateChore, input).userErrors == [])
        }
        let document = """
          query ($id: ID!) { node(id: $id) { ... on Chore {
            status finishedAt finishedBy { ... on Node { id } } approvedPoints } } }
          """
        return try await ada.parent.ask(document, ["id": .string(chore)])["data.node"]
      }
      #expect(
        try await finished(chore, after: ["ARCHIVED", "DONE"]) == [
          "status": "DONE", "finishedAt": "2026-11-21T08:00:00Z", "finishedBy": ["id": .string(mia)],
          "approvedPoints": 3,
        ]
      )
      #expect(
        try await finished(open, after: ["ARCHIVED", "DONE"]) == [
          "status": "DONE", "finishedAt": "2026-11-21T08:01:00Z", "finishedBy": ["id": .string(ada.personID)],
          "approvedPoints": nil,
        ]
      )
      let doneByMia = """
        query ($mia: ID!) { family { chores(filter: { assigneeId: $mia, statuses: [DONE] }) { nodes { id } } } }
        """
      let listed = try await ada.parent.ask(doneByMia, ["mia": .string(mia)])["data.family.chores.nodes"].each("id")
      #expect(Set(listed) == [.string(chore), .string(open)])
      #expect(try await finished(chore, after: ["OPEN"])["finishedBy"] == .null)
    }
  }

  @Test func `all invalid fields are reported at once, and nothing changes`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let chore = try await ada.addChore(for: [mia])
      let before = try await ada.everything()
      let rejected: [(Value, [String])] = [
        (["name": ""], ["input.name BLANK"]),
        (["name": nil], ["input.name BLANK"]),
        (["notes": .string(String(repeating: "n", count: 2001))], ["input.notes TOO_LONG"]),
        (["priority": 0], ["input.priority OUT_OF_RANGE"]),
        (["priority": 11], ["input.priority OUT_OF_RANGE"]),
        (
          ["priority": nil, "frequency": nil, "status": nil],
          ["input.frequency BLANK", "input.priority BLANK", "input.status BLANK"]
        ),
        (["assigneeIds": [.string(mia), "nonsense"]], ["input.assigneeIds.1 NOT_FOUND"]),
        (["id": .string(mia)], ["input.id NOT_FOUND"]),
        (
          ["id": "nonsense", "name": "\u{0}", "priority": -1],
          ["input.id NOT_FOUND", "input.name INVALID", "input.priority OUT_OF_RANGE"]
        ),
      ]
      for (fault, expected) in rejected {
        let input = (["id": .string(chore), "name": "Changed", "status": "DONE"] as Value).merging(fault)
        let outcome = try await ada.parent.perform(Documents.updateChore, ["input": input])
        #expect(outcome.userErrors == expected, "\(fault)")
        #expect(outcome["chore"] == .null)
      }
      #expect(try await ada.everything() == before)
    }
  }

  @Test func `a removed chore is in no list and not found, but points that were given for it stay`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let chore = try await ada.addChore("Feed the cat", for: [mia])
      let open = try await ada.addChore("Walk the dog", for: [mia])
      _ = try await ada.assign([(chore, 2)], to: mia)
      for id in [chore, open] {
        let outcome = try await ada.parent.perform(Documents.removeChore, ["id": .string(id)])
        #expect(outcome.userErrors.isEmpty)
        #expect(outcome["removedId"] == .string(id))
        #expect(try await ada.parent.ask(Self.whole, ["id": .string(id)]) == ["data": ["node": nil]])
      }
      let family = try await ada.parent.ask(
        """
        { family { chores { totalCount nodes { id } } named: chores(orderBy: NAME) { totalCount nodes { id } }
          children { points assignedChores { totalCount } finishedChores { nodes { points
            chore { name removedAt assignees { id } } } } } } }
        """
      )["data.family"]
      #expect(
        family == [
          "chores": ["totalCount": 0, "nodes": []], "named": ["totalCount": 0, "nodes": []],
          "children": [
            [
              "points": 2, "assignedChores": ["totalCount": 0],
              "finishedChores": [
                "nodes": [
                  [
                    "points": 2,
                    "chore": ["name": "Feed the cat", "removedAt": "2026-11-21T08:00:00Z", "assignees": []],
                  ]
                ]
              ],
            ]
          ],
        ]
      )
      let again = try await ada.parent.perform(Documents.removeChore, ["id": .string(chore)])
      #expect(again.userErrors == ["id NOT_FOUND"])
      let changed = try await ada.parent.perform(Documents.updateChore, ["input": ["id": .string(chore)]])
      #expect(changed.userErrors == ["input.id NOT_FOUND"])
      #expect(try await ada.assign([(chore, 1)], to: mia).userErrors == ["input.chores.0.choreId NOT_FOUND"])
    }
  }

  @Test func `an ended contract stays in the list, and points start from zero`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let contract = try await ada.makeContract(with: mia, maxPoints: 5, levels: [(2, "Sticker")])
      let chore = try await ada.addChore()
      _ = try await ada.assign([(chore, 3)], to: mia)
      let outcome = try await ada.parent.perform(Documents.endContract, ["id": .string(contract)])
      #expect(
        outcome["contract"] == [
          "id": .string(contract), "active": false, "points": 3,
          "child": ["points": 0, "achievementPoints": 3, "prizeLevel": nil, "contract": nil],
        ]
      )
      #expect(
        try await ada.parent.perform(Documents.endContract, ["id": .string(contract)]).userErrors == ["id CONFLICT"]
      )
      #expect(try await ada.assign([(chore, 1)], to: mia, again: true)["child.points"] == 1)
      let next = try await ada.makeContract(with: mia)
      #expect(
        try await ada.everything()["data.family.children.0.contracts.nodes"].each("id")
          == [.string(next), .string(contract)]
      )
    }
  }
}
