import Testing

@testable import Hearth

@Suite("A11: assign points")
struct A11AssignPointsTests {
  @Test func `several chores in one call bring their points, and show on the child`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      _ = try await ada.makeContract(with: mia, maxPoints: 20, levels: [(6, "Cinema")])
      var chores: [String] = []
      for name in ["Feed the cat", "Walk the dog", "Rake the leaves"] {
        chores.append(try await ada.addChore(name, for: [mia]))
      }
      server.clock.advance(seconds: 60)
      let outcome = try await ada.assign([(chores[2], 1), (chores[0], 2), (chores[1], 3)], to: mia)
      #expect(outcome.userErrors.isEmpty)
      let finished = outcome["finishedChores"]
      #expect(finished.each("points") == [1, 2, 3])
      #expect(finished.each("chore.id") == [.string(chores[2]), .string(chores[0]), .string(chores[1])])
      #expect(Set(finished.each("chore.status")) == ["DONE"])
      #expect(Set(finished.each("finishedAt")) == ["2026-11-21T08:01:00Z"])
      #expect(Set(finished.each("assignedBy.id")) == [.string(ada.personID)])
      #expect(outcome["child.points"] == 6)
      #expect(outcome["child.achievementPoints"] == 6)
      #expect(outcome["child.prizeLevel"] == ["level": 1, "award": "Cinema", "reached": true])
      let child = try await ada.parent.ask(
        """
        { family { children { points finishedChores { totalCount nodes { id points } }
          assignedChores { totalCount nodes { id } } } } }
        """
      )["data.family.children.0"]
      #expect(child["finishedChores.totalCount"] == 3)
      // The newest first.
      #expect(child["finishedChores.nodes"].each("id") == finished.each("id").reversed())
      #expect(child["assignedChores"] == ["totalCount": 0, "nodes": []])
    }
  }

  @Test func `all invalid fields are reported at once, and no points are assigned`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let feed = try await ada.addChore("Feed the cat", for: [mia])
      let walk = try await ada.addChore("Walk the dog", for: [mia])
      let others = try await Household(on: server, email: "other@example.com")
      let theirs = try await others.addChild("Mia")
      let theirChore = try await others.addChore(for: [theirs])
      let rejected: [(String, [(String, Int)], [String])] = [
        (mia, [], ["input.chores BLANK"]),
        (mia, [(feed, 0)], ["input.chores.0.points OUT_OF_RANGE"]),
        (mia, [(feed, 4)], ["input.chores.0.points OUT_OF_RANGE"]),
        (mia, [(feed, -1)], ["input.chores.0.points OUT_OF_RANGE"]),
        (mia, [(feed, 1), (walk, 4)], ["input.chores.1.points OUT_OF_RANGE"]),
        (mia, [(feed, 1), (feed, 2)], ["input.chores.1.choreId INVALID"]),
        (mia, [(feed, 1), ("nothing", 1)], ["input.chores.1.choreId NOT_FOUND"]),
        (mia, [(feed, 1), (theirChore, 1)], ["input.chores.1.choreId NOT_FOUND"]),
        (mia, [(mia, 1)], ["input.chores.0.choreId NOT_FOUND"]),
        ("nobody", [(feed, 1)], ["input.childId NOT_FOUND"]),
        (theirs, [(feed, 1)], ["input.childId NOT_FOUND"]),
        (ada.personID, [(feed, 1)], ["input.childId NOT_FOUND"]),
        (
          theirs, [(feed, 9), (theirChore, 1), (feed, 1)],
          [
            "input.childId NOT_FOUND", "input.chores.0.points OUT_OF_RANGE", "input.chores.1.choreId NOT_FOUND",
            "input.chores.2.choreId INVALID",
          ]
        ),
        (mia, Array(repeating: (feed, 1), count: 101), ["input.chores TOO_LONG"]),
      ]
      let before = try await (ada.everything(), others.everything())
      for (child, chores, expected) in rejected {
        let outcome = try await ada.assign(chores, to: child)
        #expect(chores.count > 100 ? outcome.userErrors.contains(expected[0]) : outcome.userErrors == expected)
        #expect(outcome["child"] == .null)
        #expect(outcome["finishedChores"] == [])
      }
      #expect(try await ada.everything() == before.0)
      #expect(try await others.everything() == before.1)
    }
  }

  @Test func `points for the same finished chore are given once, unless more are requested`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let (mia, ben) = (try await ada.addChild("Mia"), try await ada.addChild("Ben"))
      let chore = try await ada.addChore(for: [mia, ben])
      let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<5 {
          let parent = ada.parent.another
          group.addTask {
            let outcome = try await parent.perform(Documents.assignPoints, Household.points([(chore, 3)], to: mia))
            #expect(outcome.userErrors.isEmpty || outcome.userErrors == ["input.chores.0.choreId CONFLICT"])
            return outcome.userErrors.isEmpty
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(accepted == 1)
      // The other child who did it gets its own.
      #expect(try await ada.assign([(chore, 1)], to: ben)["child.points"] == 1)
      let again = Household.points([(chore, 2)], to: mia, again: true)
      #expect(try await ada.parent.perform(Documents.assignPoints, again)["child.points"] == 5)
      // Opened and done once more, it brings points once more.
      let open: Value = ["input": ["id": .string(chore), "status": "OPEN"]]
      #expect(try await ada.parent.perform(Documents.updateChore, open).userErrors == [])
      #expect(try await ada.assign([(chore, 1)], to: mia)["child.points"] == 6)
    }
  }

  @Test func `an archived chore that gets points is done, and keeps its approval`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let chore = try await ada.addChore(for: [mia])
      func set(_ status: Value) async throws {
        let input: Value = ["input": ["id": .string(chore), "status": status]]
        #expect(try await ada.parent.perform(Documents.updateChore, input).userErrors == [])
      }
      func state() async throws -> Value {
        let document = """
          query ($id: ID!) { node(id: $id) { ... on Chore {
            status finishedBy { ... on Node { id } } approvedPoints } } }
          """
        return try await ada.parent.ask(document, ["id": .string(chore)])["data.node"]
      }
      func done(_ points: Value) -> Value {
        ["status": "DONE", "finishedBy": ["id": .string(mia)], "approvedPoints": points]
      }
      try await set("ARCHIVED")
      let outcome = try await ada.assign([(chore, 3)], to: mia)
      #expect(outcome["finishedChores"].each("chore.status") == ["DONE"])
      #expect(try await state() == done(3))
      try await set("DONE")
      #expect(try await state() == done(3))
      #expect(try await ada.assign([(chore, 3)], to: mia).userErrors == ["input.chores.0.choreId CONFLICT"])
      // It was done before it was archived.
      try await set("ARCHIVED")
      #expect(try await ada.assign([(chore, 1)], to: mia).userErrors == ["input.chores.0.choreId CONFLICT"])
      #expect(try await ada.assign([(chore, 1)], to: mia, again: true).userErrors == [])
      #expect(try await state() == done(4))
    }
  }

  @Test func `a chore that was opened again before it was archived brings points once more`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let chore = try await ada.addChore(for: [mia])
      #expect(try await ada.assign([(chore, 3)], to: mia).userErrors == [])
      for status in ["OPEN", "ARCHIVED"] as [Value] {
        let input: Value = ["input": ["id": .string(chore), "status": status]]
        #expect(try await ada.parent.perform(Documents.updateChore, input).userErrors == [])
      }
      let outcome = try await ada.assign([(chore, 1)], to: mia)
      #expect(outcome.userErrors == [] && outcome["child.points"] == 4)
      #expect(outcome["finishedChores"].each("chore.status") == ["DONE"])
      #expect(try await ada.assign([(chore, 1)], to: mia).userErrors == ["input.chores.0.choreId CONFLICT"])
    }
  }

  @Test(arguments: [false, true])
  func `points for one child do not approve what another child has done`(isArchived: Bool) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let ben = try await ada.addChild("Ben")
      let child = try await ada.signIn("mia")
      let chore = try await ada.addChore(for: [mia, ben])
      let finished = try await child.perform(Documents.finishChore, ["id": .string(chore)])
      #expect(finished["chore.awaitsApproval"] == true)
      if isArchived {
        let archived: Value = ["input": ["id": .string(chore), "status": "ARCHIVED"]]
        #expect(try await ada.parent.perform(Documents.updateChore, archived).userErrors == [])
      }
      server.clock.advance(seconds: 60)
      let changes = "subscription { familyChanged { __typename ... on ChoreChanged { chore { approvedPoints } } } }"
      let device = try await Listener.open(server.port, ada.parent, changes).listening()
      let given = try await ada.assign([(chore, 1)], to: ben)
      #expect(given.userErrors == [] && given["child.points"] == 1)
      let changed: Value = ["__typename": "ChoreChanged", "chore": ["approvedPoints": 1]]
      #expect(try await device.next()["data.familyChanged"] == changed)
      #expect(try await device.next()["data.familyChanged.__typename"] == "PointsAssigned")
      // Not twice, though the chore still awaits approval.
      #expect(try await ada.assign([(chore, 1)], to: ben).userErrors == ["input.chores.0.choreId CONFLICT"])
      func state() async throws -> Value {
        let document = """
          query ($id: ID!) { node(id: $id) { ... on Chore {
            status finishedBy { ... on Node { id } } awaitsApproval approvedBy { id } approvedPoints } } }
          """
        return try await ada.parent.ask(document, ["id": .string(chore)])["data.node"]
      }
      #expect(
        try await state() == [
          "status": "DONE", "finishedBy": ["id": .string(mia)], "awaitsApproval": true, "approvedBy": nil,
          "approvedPoints": 1,
        ]
      )
      func notifications() async throws -> Int {
        let list = "{ viewer { ... on Child { notifications { nodes { __typename } } } } }"
        return try await child.ask(list)["data.viewer.notifications.nodes"].each("__typename").count
      }
      #expect(try await notifications() == 0)
      let approval: Value = ["input": ["id": .string(chore), "points": 2]]
      let approved = try await ada.parent.perform(Documents.approveChore, approval)
      // As if the approval had been first.
      #expect(approved.userErrors == [] && approved["chore.approvedPoints"] == 3)
      #expect(try await notifications() == 1)
      let points = try await child.ask("{ viewer { ... on Child { points } } }")
      #expect(points["data.viewer.points"] == 2)
    }
  }

  @Test func `points given by many at the same moment all count`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      _ = try await ada.makeContract(with: mia, maxPoints: 100)
      let chore = try await ada.addChore()
      try await withThrowingTaskGroup { group in
        for _ in 0..<20 {
          let parent = ada.parent.another
          group.addTask {
            let outcome = try await parent.perform(
              Documents.assignPoints,
              Household.points([(chore, 2)], to: mia, again: true)
            )
            #expect(outcome.userErrors.isEmpty)
          }
        }
        try await group.waitForAll()
      }
      let child = try await ada.parent.ask(
        "{ family { children { points achievementPoints contract { points } finishedChores { totalCount } } } }"
      )["data.family.children.0"]
      #expect(
        child == [
          "points": 40, "achievementPoints": 40, "contract": ["points": 40], "finishedChores": ["totalCount": 20],
        ]
      )
    }
  }
}
