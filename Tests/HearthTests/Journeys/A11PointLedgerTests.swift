import TestSupport
import Testing

@testable import Hearth
@testable import Storage

@Suite("A11: points are a ledger", .timeLimit(.minutes(20)))
struct A11PointLedgerTests {
  struct Home {
    let server: TestServer
    let ada: Household
    let mia: String
    let child: Client
    let chore: String

    init(on server: TestServer) async throws {
      self.server = server
      ada = try await Household(on: server)
      mia = try await ada.addChild("Mia", username: "mia")
      child = try await ada.signIn("mia")
      chore = try await ada.addChore("Feed the cat", for: [mia])
    }

    func give(_ points: Int) async throws {
      let given = try await ada.assign([(chore, points)], to: mia, again: true)
      #expect(given.userErrors == [], "\(given)")
    }

    func correct(_ changes: Value) async throws -> Outcome {
      let input: Value = ["memberId": .string(mia), "reason": "A mistake."]
      return try await ada.parent.perform(Documents.correctPoints, ["input": input.merging(changes)])
    }

    func ledger(_ client: Client? = nil) async throws -> Value {
      try await (client ?? ada.parent).ask(Documents.pointEntries, ["id": .string(mia)])["data.node"]
    }

    /// Such as "CHORE 3", the oldest first.
    func entries() async throws -> [String] {
      try await ledger()["pointEntries.nodes"].list.reversed().map { entry in
        "\(entry["kind"].string ?? "") \(entry["points"].text)"
      }
    }

    func faults() throws -> [String] {
      try PointLedgerCheck.faults(server.reader())
    }
  }

  @Test func `every gain, correction and closing is an entry with its author, and the points are their sum`()
    async throws
  {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      try await home.give(3)
      let contract = try await home.ada.makeContract(with: home.mia, maxPoints: 10, levels: [(2, "Ice cream")])
      try await home.give(2)
      server.clock.advance(seconds: 60)
      let corrected = try await home.correct(["points": 4, "reason": "  For helping Ben. "])
      #expect(corrected.userErrors == [])
      #expect(
        corrected["member"]
          == ["id": .string(home.mia), "points": 6, "achievementPoints": 9, "contract": ["points": 6]]
      )
      let ledger = try await home.ledger(home.child)
      #expect(ledger["points"] == 6 && ledger["achievementPoints"] == 9)
      #expect(ledger["pointEntries.totalCount"] == 4)
      let ada: Value = ["__typename": "Person", "id": .string(home.ada.personID)]
      let mia: Value = ["__typename": "Child", "id": .string(home.mia)]
      let nodes = ledger["pointEntries.nodes"].list.map { $0.setting("id", nil) }
      func entry(_ points: Value, _ kind: Value, at minute: Int, chore: Bool, reason: Value, isUnder: Bool) -> Value {
        [
          "id": nil, "points": points, "kind": kind, "reason": reason,
          "createdAt": .string("2026-11-21T08:0\(minute):00Z"), "member": mia, "author": ada,
          "chore": chore ? ["id": .string(home.chore)] : nil,
          "contract": isUnder ? ["id": .string(contract)] : nil, "corrected": nil,
        ]
      }
      #expect(
        nodes == [
          entry(4, "CORRECTION", at: 1, chore: false, reason: "For helping Ben.", isUnder: true),
          entry(2, "CHORE", at: 0, chore: true, reason: nil, isUnder: true),
          entry(-3, "CLOSING", at: 0, chore: false, reason: nil, isUnder: false),
          entry(3, "CHORE", at: 0, chore: true, reason: nil, isUnder: false),
        ]
      )
      _ = try await home.ada.parent.perform(Documents.endContract, ["id": .string(contract)])
      #expect(try await home.entries().last == "CLOSING -6")
      #expect(try await home.ledger()["points"] == 0)
      #expect(try await home.ledger()["achievementPoints"] == 9)
      #expect(try home.faults() == [])
    }
  }

  @Test func `the points of an entry are taken back once`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      try await home.give(3)
      try await home.give(2)
      let entry = try await home.ledger()["pointEntries.nodes.1.id"]
      let first = try await home.correct(["entryId": entry, "points": -1])
      #expect(first["entry.corrected.id"] == entry && first["entry.points"] == -1)
      let excessive = try await home.correct(["entryId": entry, "points": -3])
      #expect(excessive.userErrorReasons == ["input.entryId CONFLICT FEWER_POINTS_LEFT"])
      let rest = try await home.correct(["entryId": entry])
      #expect(rest["entry.points"] == -2 && rest["member.points"] == 2)
      // A repeated request takes nothing back.
      let repeated = try await home.correct(["entryId": entry])
      #expect(repeated.userErrorReasons == ["input.entryId CONFLICT NO_POINTS_LEFT"])
      #expect(try await home.entries() == ["CHORE 3", "CHORE 2", "CORRECTION -1", "CORRECTION -2"])
      let negative = try await home.ledger()["pointEntries.nodes.0.id"]
      let entryWithoutPoints = try await home.correct(["entryId": negative])
      #expect(entryWithoutPoints.userErrorReasons == ["input.entryId CONFLICT NO_POINTS"])
      #expect(try home.faults() == [])
    }
  }

  @Test func `points from before a contract that has ended are not taken back from later ones`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      try await home.give(3)
      let old = try await home.ledger()["pointEntries.nodes.0.id"]
      let contract = try await home.ada.makeContract(with: home.mia)
      _ = try await home.ada.parent.perform(Documents.endContract, ["id": .string(contract)])
      try await home.give(3)
      let new = try await home.ledger()["pointEntries.nodes.0.id"]
      let outdated = try await home.correct(["entryId": old])
      #expect(outdated.userErrorReasons == ["input.entryId CONFLICT OTHER_CONTRACT"])
      #expect(try await home.correct(["entryId": new])["member.points"] == 0)
      #expect(try await home.entries() == ["CHORE 3", "CLOSING -3", "CHORE 3", "CORRECTION -3"])
    }
  }

  @Test func `of two that take back the same at once one is rejected`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      try await home.give(3)
      let entry = try await home.ledger()["pointEntries.nodes.0.id"]
      let outcomes = try await server.atOnce([
        { try await home.correct(["entryId": entry]) }, { try await home.correct(["entryId": entry]) },
      ])
      #expect(outcomes.map(\.userErrors) == [[], ["input.entryId CONFLICT"]])
      #expect(try await home.ledger()["points"] == 0)
    }
  }

  @Test func `invalid corrections change nothing, and all errors are reported at once`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      try await home.give(2)
      let old = try await home.ledger()["pointEntries.nodes.0.id"]
      _ = try await home.ada.makeContract(with: home.mia)
      try await home.give(1)
      let other = try await Household(on: server, email: "other@example.com")
      let stranger = try await other.addChild("Mia")
      let long = Value.string(String(repeating: "r", count: 501))
      let before = try await home.ledger()
      for (changes, expected) in [
        (["points": 0], ["input.points OUT_OF_RANGE"]),
        (["points": 1_001], ["input.points OUT_OF_RANGE"]),
        (["points": -1_001], ["input.points OUT_OF_RANGE"]),
        ([:], ["input.points BLANK"]),
        (["points": 1, "reason": " "], ["input.reason BLANK"]),
        (["points": 1, "reason": long], ["input.reason TOO_LONG"]),
        (["points": 1, "reason": "\u{7}"], ["input.reason INVALID"]),
        (["points": -2], ["input.points CONFLICT"]),
        (["points": 1, "memberId": "nobody"], ["input.memberId NOT_FOUND"]),
        (["points": 1, "memberId": .string(stranger)], ["input.memberId NOT_FOUND"]),
        (["points": 1, "entryId": "none"], ["input.entryId NOT_FOUND"]),
        // The points of an ended contract no longer count.
        (["entryId": old], ["input.entryId CONFLICT"]),
        (
          ["memberId": "nobody", "entryId": "none", "points": 0, "reason": ""],
          [
            "input.entryId NOT_FOUND", "input.memberId NOT_FOUND", "input.points OUT_OF_RANGE", "input.reason BLANK",
          ]
        ),
      ] as [(Value, [String])] {
        let outcome = try await home.correct(changes)
        #expect(outcome.userErrors == expected, "\(changes)")
        #expect(outcome["entry"] == .null)
      }
      #expect(try await home.ledger() == before)
    }
  }

  @Test func `the entries come in pages`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      for points in [1, 2, 3] { try await home.give(points) }
      let document = """
        query ($after: String) { family { children { pointEntries(first: 2, after: $after) {
          nodes { points } totalCount pageInfo { hasNextPage endCursor } } } } }
        """
      let first = try await home.child.ask(document)["data.family.children.0.pointEntries"]
      #expect(first["nodes"].each("points") == [3, 2] && first["totalCount"] == 3)
      #expect(first["pageInfo.hasNextPage"] == true)
      let cursor: Value = ["after": first["pageInfo.endCursor"]]
      let second = try await home.child.ask(document, cursor)["data.family.children.0.pointEntries"]
      #expect(second["nodes"].each("points") == [1] && second["pageInfo.hasNextPage"] == false)
    }
  }

  @Test func `parents and the child see the entries, siblings do not`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      _ = try await home.ada.addChild("Ben", username: "ben")
      let sibling = try await home.ada.signIn("ben")
      try await home.give(2)
      let seen = try await home.ledger()
      #expect(try await home.ledger(home.child) == seen)
      #expect(try await home.ledger(sibling)["points"] == 2)
      #expect(try await home.ledger(sibling)["pointEntries"] == .null)
      let entry: Value = ["id": seen["pointEntries.nodes.0.id"]]
      let document = "query ($id: ID!) { node(id: $id) { ... on PointEntry { points } } }"
      #expect(try await home.child.ask(document, entry)["data.node.points"] == 2)
      #expect(try await sibling.ask(document, entry)["data.node"] == .null)
      for client in [home.child, sibling] {
        let input: Value = ["memberId": .string(home.mia), "points": 1, "reason": "Mine"]
        #expect(try await client.post(Documents.correctPoints, ["input": input]).codes == ["FORBIDDEN"])
      }
    }
  }

  @Test func `corrections are live`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      let document = """
        subscription { familyChanged { __typename ... on PointsChanged { member { id ... on Child { points } } } } }
        """
      let child = try await Listener.open(server.port, home.child, document).listening()
      _ = try await home.correct(["points": 5])
      let event: Value = ["__typename": "PointsChanged", "member": ["id": .string(home.mia), "points": 5]]
      #expect(try await child.next()["data.familyChanged"] == event)
    }
  }

  private static let wrong = SQL<Void>("UPDATE child SET points = points + 1, achievement_points = 0")
  private static let changed = SQL<Void>("UPDATE point_entry SET points = 1")

  @Test func `the check finds balances that are not the sum, and entries cannot be changed`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      try await home.give(2)
      let key = try #require(server.services.cipher.key(of: home.mia)).rawValue
      await #expect(throws: DatabaseError.self) {
        try await server.services.database.write { transaction in try transaction.run(Self.changed, ()) }
      }
      func faults() throws -> [String] {
        switch server.database {
        case .sqlite, .deferred: try Maintenance.faults(in: .folder(server.directory.path))
        case .postgresql: try PointLedgerCheck.faults(server.reader())
        }
      }
      #expect(try faults() == [])
      try await server.services.database.write { transaction in try transaction.run(Self.wrong, ()) }
      #expect(
        try faults()
          == ["Child \(key) has 3 points, but its entries come to 2 points and 2 of all time."]
      )
    }
  }
}
