import Testing

@testable import Hearth

@Suite("A6: dashboard")
struct A06DashboardTests {
  static let dashboard = """
    { family { children { id name username avatar { url placeholder } points achievementPoints
      prizeLevel { level award reached } } } }
    """

  @Test func `an account without children has an empty list`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      #expect(try await ada.parent.ask(Self.dashboard) == ["data": ["family": ["children": []]]])
    }
  }

  @Test(arguments: [10, 200])
  func `every child is there, in the order in which they were added`(count: Int) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let other = try await Household(on: server, email: "other@example.com")
      var expected: [String] = []
      for number in 1...count {
        expected.append(try await ada.addChild("Child \(number)"))
        if number.isMultiple(of: 50) { _ = try await other.addChild("Child \(number)") }
      }
      let answer = try await ada.parent.ask(Self.dashboard)
      let children = answer["data.family.children"]
      #expect(answer["errors"] == .null)
      #expect(children.each("id") == expected.map(Value.string))
      #expect(children.each("name") == (1...count).map { "Child \($0)" })
      #expect(Set(children.each("username")).count == count)
      #expect(children.list.allSatisfy { $0["points"] == 0 && $0["prizeLevel"] == .null })
      #expect(children.list.allSatisfy { $0["avatar.placeholder"] == true })
    }
  }

  @Test func `points, achievement and prize of each child are its own`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let ben = try await ada.addChild("Ben")
      let zoe = try await ada.addChild("Zoë")
      let chore = try await ada.addChore(for: [mia, ben])
      _ = try await ada.assign([(chore, 2)], to: ben)
      _ = try await ada.makeContract(with: mia, maxPoints: 10, levels: [(3, "Ice cream"), (4, "Cinema")])
      _ = try await ada.makeContract(with: ben, maxPoints: 10, levels: [(2, "Comic"), (2, "Cake"), (6, "Bicycle")])
      _ = try await ada.assign([(chore, 3)], to: mia)
      for points in [3, 1] { _ = try await ada.assign([(chore, points)], to: ben, again: true) }
      _ = zoe
      let children = try await ada.parent.ask(Self.dashboard)["data.family.children"]
      #expect(children.each("points") == [3, 4, 0])
      #expect(children.each("achievementPoints") == [3, 6, 0])
      #expect(
        children.each("prizeLevel") == [
          ["level": 1, "award": "Ice cream", "reached": true], ["level": 2, "award": "Cake", "reached": true], nil,
        ]
      )
    }
  }

  @Test func `anonymous callers have no dashboard`() async throws {
    try await TestServer.run { server in
      let answer = try await server.visitor.ask(Self.dashboard)
      #expect(answer["data.family"] == .null)
      #expect(answer["errors.0.extensions.code"] == "UNAUTHENTICATED")
      #expect(answer["errors.0.path"] == ["family"])
    }
  }
}
