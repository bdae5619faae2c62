import TestSupport
import Testing

@testable import Hearth

@Suite("A9: rewards are redeemed and handed out", .timeLimit(.minutes(20)))
struct A09RewardTests {
  private struct Home {
    let home: A11PointLedgerTests.Home
    let contract: String
    var ada: Household { home.ada }

    init(on server: TestServer) async throws {
      home = try await A11PointLedgerTests.Home(on: server)
      contract = try await home.ada.makeContract(with: home.mia, levels: [(2, "Ice cream"), (3, "Cinema")])
    }

    func input(_ level: Int = 1) -> Value {
      ["input": ["contractId": .string(contract), "level": .number(Double(level))]]
    }

    func redeem(_ level: Int = 1, by client: Client? = nil) async throws -> Outcome {
      try await (client ?? home.child).perform(Documents.redeemReward, input(level))
    }

    func handOut(_ level: Int = 1) async throws -> Outcome {
      try await ada.parent.perform(Documents.handOutReward, input(level))
    }
  }

  @Test func `the child redeems a reached reward, and a parent hands it out, each once`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      try await home.home.give(2)
      server.clock.advance(seconds: 60)
      let redeemed = try await home.redeem()
      #expect(redeemed.userErrors == [])
      let mia: Value = ["__typename": "Child", "id": .string(home.home.mia)]
      var first: Value = [
        "level": 1, "reached": true, "redeemedAt": "2026-11-21T08:01:00Z", "redeemedBy": mia, "handedOutAt": nil,
        "handedOutBy": nil,
      ]
      let second: Value = [
        "level": 2, "reached": false, "redeemedAt": nil, "redeemedBy": nil, "handedOutAt": nil, "handedOutBy": nil,
      ]
      #expect(redeemed["contract.levels"] == [first, second])
      // It costs no points.
      #expect(redeemed["contract.points"] == 2 && redeemed["contract.child.points"] == 2)
      let entry = redeemed["entry"]
      #expect(
        entry == [
          "id": entry["id"], "points": 0, "kind": "REDEMPTION", "reason": "Ice cream",
          "author": ["id": .string(home.home.mia)], "contract": ["id": .string(home.contract)],
        ]
      )
      server.clock.advance(seconds: 60)
      #expect(try await home.redeem()["contract"] == redeemed["contract"])
      #expect(try await home.redeem(by: home.ada.parent)["entry"] == entry)
      let handedOut = try await home.handOut()
      first = first.setting("handedOutAt", "2026-11-21T08:02:00Z")
      first = first.setting("handedOutBy", ["id": .string(home.ada.personID)])
      #expect(handedOut["contract.levels"] == [first, second] && handedOut["entry"] == entry)
      server.clock.advance(seconds: 60)
      #expect(try await home.handOut()["contract"] == handedOut["contract"])
      #expect(try await home.home.entries() == ["CHORE 2", "REDEMPTION 0"])
      #expect(try home.home.faults() == [])
    }
  }

  @Test func `of several that redeem at once one does, and all receive the same entry`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      try await home.home.give(2)
      let parent = home.ada.parent
      let outcomes = try await server.atOnce([
        { try await home.redeem() }, { try await home.redeem(by: parent) }, { try await home.handOut() },
      ])
      #expect(outcomes.map(\.userErrors) == [[], [], []])
      #expect(Set(outcomes.map { $0["entry.id"].text }).count == 1)
      #expect(try await home.home.entries() == ["CHORE 2", "REDEMPTION 0"])
    }
  }

  @Test func `a parent hands out a reward that the child has not asked for`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      try await home.home.give(2)
      let level = try await home.handOut()["contract.levels.0"]
      #expect(level["redeemedBy.id"] == .string(home.ada.personID))
      #expect(level["redeemedAt"] == level["handedOutAt"] && level["handedOutAt"] != .null)
    }
  }

  @Test func `a redeemed reward is handed out, even if the level is no longer reached`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      try await home.home.give(2)
      #expect(try await home.redeem().userErrors == [])
      #expect(try await home.home.correct(["points": -1]).userErrors == [])
      let handedOut = try await home.handOut()
      #expect(handedOut.userErrors == [])
      let level = handedOut["contract.levels.0"]
      #expect(level["reached"] == false && level["handedOutAt"] != .null)
    }
  }

  @Test func `only a reached level of a contract of the family can be redeemed`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      _ = try await home.ada.addChild("Ben", username: "ben")
      let sibling = try await home.ada.signIn("ben")
      try await home.home.give(1)
      #expect(try await home.redeem().userErrors == ["input.level CONFLICT"])
      #expect(try await home.handOut().userErrors == ["input.level CONFLICT"])
      for level in [0, 3, -1] { #expect(try await home.redeem(level).userErrors == ["input.level NOT_FOUND"]) }
      let other = try await Household(on: server, email: "other@example.com")
      for document in [Documents.redeemReward, Documents.handOutReward] {
        #expect(
          try await other.parent.perform(document, home.input()).userErrors == ["input.contractId NOT_FOUND"]
        )
        #expect(try await sibling.post(document, home.input()).codes == ["FORBIDDEN"])
      }
      #expect(try await home.home.child.post(Documents.handOutReward, home.input()).codes == ["FORBIDDEN"])
      #expect(try await home.home.entries() == ["CHORE 1"])
    }
  }

  @Test func `what was reached can be redeemed after the contract has ended, but not of a removed child`()
    async throws
  {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      try await home.home.give(2)
      _ = try await home.ada.parent.perform(Documents.endContract, ["id": .string(home.contract)])
      #expect(try await home.redeem().userErrors == [])
      _ = try await home.ada.parent.perform(Documents.removeChild, ["id": .string(home.home.mia)])
      #expect(try await home.handOut().userErrors == ["input.contractId NOT_FOUND"])
    }
  }

  @Test func `redeeming and handing out are live for both sides`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      try await home.home.give(2)
      let document = """
        subscription { familyChanged { __typename \
        ... on ContractChanged { contract { levels { redeemedAt handedOutAt } } } } }
        """
      let parent = try await Listener.open(server.port, home.ada.parent, document).listening()
      let child = try await Listener.open(server.port, home.home.child, document).listening()
      func expectChange(_ redeemed: Value, _ handedOut: Value) async throws {
        for listener in [parent, child] {
          let levels = try await listener.next()["data.familyChanged.contract.levels"]
          #expect(levels.list.first == ["redeemedAt": redeemed, "handedOutAt": handedOut])
          #expect(try await listener.next()["data.familyChanged.__typename"] == "ChildChanged")
        }
      }
      _ = try await home.redeem()
      try await expectChange("2026-11-21T08:00:00Z", nil)
      _ = try await home.handOut()
      try await expectChange("2026-11-21T08:00:00Z", "2026-11-21T08:00:00Z")
    }
  }

  @Test func `the points beyond a fulfilled contract are carried over on request`() async throws {
    try await TestServer.run { server in
      let home = try await A11PointLedgerTests.Home(on: server)
      func next(carryOver: Value) async throws -> Outcome {
        let input: Value = [
          "childId": .string(home.mia), "maxPoints": 4, "levels": [["points": 1, "reward": "Song"]],
          "carryOver": carryOver,
        ]
        return try await home.ada.parent.perform(Documents.makeContract, ["input": input])
      }
      #expect(try await next(carryOver: true).userErrors == ["input.carryOver CONFLICT"])
      let first = try await next(carryOver: false)["contract.id"]
      try await home.give(3)
      #expect(try await next(carryOver: true).userErrors == ["input.carryOver CONFLICT"])
      func contract(_ id: Value) async throws -> Value {
        let document = "query ($id: ID!) { node(id: $id) { ... on Contract { points fulfilled active } } }"
        return try await home.ada.parent.ask(document, ["id": id])["data.node"]
      }
      #expect(try await contract(first) == ["points": 3, "fulfilled": false, "active": true])
      try await home.give(3)
      #expect(try await contract(first) == ["points": 6, "fulfilled": true, "active": true])
      let second = try await next(carryOver: true)
      #expect(second.userErrors == [])
      #expect(second["contract.points"] == 2 && second["contract.levels.0.reached"] == true)
      #expect(try await contract(first) == ["points": 6, "fulfilled": true, "active": false])
      // Points that are carried over are not earned again.
      let ledger = try await home.ledger()
      #expect(ledger["points"] == 2 && ledger["achievementPoints"] == 6)
      #expect(try await home.entries() == ["CHORE 3", "CHORE 3", "CLOSING -6", "CARRY_OVER 2"])
      #expect(try await next(carryOver: nil)["contract.points"] == 0)
      #expect(try home.faults() == [])
    }
  }

  @Test func `a contract that is fulfilled exactly has no points to carry over, and the next one starts at 0`()
    async throws
  {
    try await TestServer.run { server in
      let home = try await A11PointLedgerTests.Home(on: server)
      _ = try await home.ada.makeContract(with: home.mia, maxPoints: 3)
      try await home.give(3)
      let input: Value = ["childId": .string(home.mia), "maxPoints": 4, "levels": [], "carryOver": true]
      let next = try await home.ada.parent.perform(Documents.makeContract, ["input": input])
      #expect(next.userErrors == [])
      #expect(next["contract.points"] == 0 && next["contract.active"] == true)
      #expect(try await home.entries() == ["CHORE 3", "CLOSING -3"])
      #expect(try home.faults() == [])
    }
  }
}
