import Testing

@testable import Hearth

@Suite("Chores are listed by filter and order")
struct ChoreFilterTests {
  private static let document = """
    query ($filter: ChoreFilter, $orderBy: ChoreOrder, $first: Int, $after: String) { family {
      chores(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
        totalCount nodes { name } pageInfo { hasNextPage endCursor } } } }
    """

  private struct Family {
    let ada: Household
    let mia: String
    let ben: String
  }

  /// Name, priority, day due in December, frequency, whether it is Mia's, whether it is Ben's, whether it is done.
  private static let chores: [(String, Int, Int?, Value, Bool, Bool, Bool)] = [
    ("Äpfel pflücken", 5, 3, "ONCE", true, false, false),
    ("apple pie", 10, nil, "WEEKLY", true, true, false),
    ("Zebra", 1, 1, "DAILY", false, true, true),
    ("Feed the cat", 5, 2, "DAILY", false, false, false),
    ("feed the dog", 5, 2, "DAILY", true, false, true),
    ("Éclair", 7, 4, "MONTHLY", false, true, false),
    ("Feed the cat", 2, nil, "ONCE", true, true, false),
  ]

  private func family(_ server: TestServer) async throws -> Family {
    let ada = try await Household(on: server)
    let mia = try await ada.addChild("Mia")
    let ben = try await ada.addChild("Ben")
    for (name, priority, day, frequency, isMias, isBens, isDone) in Self.chores {
      var input: Value = [
        "name": .string(name), "priority": .number(Double(priority)), "frequency": frequency,
        "assigneeIds": Value((isMias ? [mia] : []) + (isBens ? [ben] : [])),
      ]
      if let day { input = input.setting("dueAt", .string("2026-12-0\(day)T00:00:00Z")) }
      let id = try await ada.parent.perform(Documents.addChore, ["input": input])["chore.id"]
      if isDone { _ = try await ada.parent.perform(Documents.updateChore, ["input": ["id": id, "status": "DONE"]]) }
    }
    return Family(ada: ada, mia: mia, ben: ben)
  }

  @Test func `each order, by pages of each size`() async throws {
    try await TestServer.run { server in
      let family = try await family(server)
      let orders: [(Value, Value, [String])] = [
        (
          nil, "PRIORITY",
          ["apple pie", "Éclair", "Feed the cat", "feed the dog", "Äpfel pflücken", "Feed the cat", "Zebra"]
        ),
        (
          nil, "DUE",
          ["Zebra", "Feed the cat", "feed the dog", "Äpfel pflücken", "Éclair", "apple pie", "Feed the cat"]
        ),
        (
          nil, "NAME",
          ["Äpfel pflücken", "apple pie", "Éclair", "Feed the cat", "Feed the cat", "feed the dog", "Zebra"]
        ),
        (nil, "NEWEST", Self.chores.map(\.0).reversed()),
        (["status": "OPEN"], "PRIORITY", ["apple pie", "Éclair", "Feed the cat", "Äpfel pflücken", "Feed the cat"]),
        (["frequency": "DAILY"], "PRIORITY", ["Feed the cat", "feed the dog", "Zebra"]),
        (["frequency": "DAILY"], "DUE", ["Zebra", "Feed the cat", "feed the dog"]),
      ]
      for (filter, order, expected) in orders {
        for size in [100, 3, 1] {
          var seen: [String] = []
          var after: Value = nil
          repeat {
            let page = try await family.ada.parent.ask(
              Self.document,
              ["filter": filter, "orderBy": order, "first": .number(Double(size)), "after": after]
            )["data.family.chores"]
            #expect(page["totalCount"].int == expected.count)
            seen += page["nodes"].each("name").compactMap(\.string)
            after = page["pageInfo.hasNextPage"] == true ? page["pageInfo.endCursor"] : nil
          } while after != .null
          #expect(seen == expected, "\(order) \(filter) by \(size)")
        }
      }
    }
  }

  @Test func `each filter, and several at once`() async throws {
    try await TestServer.run { server in
      let family = try await family(server)
      let others = try await Household(on: server, email: "other@example.com")
      let (mia, ben) = (Value.string(family.mia), Value.string(family.ben))
      let expected: [(Value, Set<String>)] = [
        ([:], Set(Self.chores.map(\.0))),
        (["status": "DONE"], ["Zebra", "feed the dog"]),
        (["status": "ARCHIVED"], []),
        (["statuses": ["DONE", "OPEN"]], Set(Self.chores.map(\.0))),
        (["statuses": ["DONE", "ARCHIVED"]], ["Zebra", "feed the dog"]),
        (["statuses": ["DONE"]], ["Zebra", "feed the dog"]),
        (["statuses": []], []),
        (["statuses": ["DONE", "ARCHIVED"], "status": "DONE"], ["Zebra", "feed the dog"]),
        (["statuses": ["DONE", "ARCHIVED"], "status": "OPEN"], []),
        (["statuses": ["DONE", "ARCHIVED"], "assigneeId": mia], ["feed the dog"]),
        (["statuses": ["DONE", "OPEN"], "period": "2026-12-02"], ["Feed the cat", "feed the dog"]),
        (["unassigned": true], ["Feed the cat"]),
        (["unassigned": true, "statuses": ["DONE", "ARCHIVED"]], []),
        (["unassigned": true, "status": "OPEN", "period": "2026-12-02"], ["Feed the cat"]),
        (["unassigned": true, "assigneeId": mia], []),
        (["unassigned": false, "period": "2026-12-02"], ["feed the dog"]),
        (["frequency": "MONTHLY"], ["Éclair"]),
        (["assigneeId": mia], ["Äpfel pflücken", "apple pie", "feed the dog", "Feed the cat"]),
        (["assigneeId": ben, "status": "OPEN"], ["apple pie", "Éclair", "Feed the cat"]),
        (["assigneeId": .string(family.ada.accountID)], []),
        (["assigneeId": .string(others.personID)], []),
        (["assigneeId": "nonsense"], []),
        (["dueBefore": "2026-12-02T00:00:00Z"], ["Zebra"]),
        (["dueAfter": "2026-12-03T00:00:00Z"], ["Äpfel pflücken", "Éclair"]),
        (["dueAfter": "2026-12-02T00:00:00Z", "dueBefore": "2026-12-03T00:00:00Z"], ["Feed the cat", "feed the dog"]),
        (["period": "2026-W47"], ["apple pie"]),
        (["period": "2026-12", "assigneeId": ben], ["Éclair"]),
        (["period": "2026-12-02"], ["Feed the cat", "feed the dog"]),
        (["period": "2026-12-02", "status": "DONE"], ["feed the dog"]),
        (["period": "2026-12-02", "status": "OPEN", "assigneeId": mia], []),
        (["period": "2026-W46"], []),
        (["query": "  FEED "], ["Feed the cat", "feed the dog"]),
        (["query": "apfel"], ["Äpfel pflücken"]),
        (["query": "ap"], ["Äpfel pflücken", "apple pie"]),
        (["query": "%"], []),
        (["query": ""], Set(Self.chores.map(\.0))),
        (["query": "the", "assigneeId": mia, "status": "DONE", "frequency": "DAILY"], ["feed the dog"]),
        (["status": nil, "assigneeId": nil, "query": nil, "period": nil], Set(Self.chores.map(\.0))),
      ]
      for (filter, names) in expected {
        for order in ["PRIORITY", "DUE", "NAME", "NEWEST"] as [Value] {
          let page = try await family.ada.parent.ask(
            Self.document,
            ["filter": filter, "orderBy": order, "first": 100]
          )[
            "data.family.chores"
          ]
          #expect(Set(page["nodes"].each("name").compactMap(\.string)) == names, "\(filter) \(order)")
          #expect(page["totalCount"].int == page["nodes"].list.count)
        }
      }
    }
  }

  @Test func `a cursor of one order is invalid in another`() async throws {
    try await TestServer.run { server in
      let family = try await family(server)
      let orders: [Value] = ["PRIORITY", "DUE", "NAME", "NEWEST"]
      for order in orders {
        let cursor = try await family.ada.parent.ask(Self.document, ["orderBy": order, "first": 1])[
          "data.family.chores.pageInfo.endCursor"
        ]
        for other in orders {
          let answer = try await family.ada.parent.post(Self.document, ["orderBy": other, "first": 1, "after": cursor])
          #expect(answer.codes == (order == other ? [] : ["BAD_USER_INPUT"]), "\(order) in \(other)")
        }
      }
    }
  }

  @Test func `a renamed chore moves to its new position`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let first = try await ada.addChore("Aaa")
      _ = try await ada.addChore("Bbb")
      _ = try await ada.parent.perform(Documents.updateChore, ["input": ["id": .string(first), "name": "Ççç"]])
      let page = try await ada.parent.ask(Self.document, ["orderBy": "NAME"])
      #expect(page["data.family.chores.nodes"].each("name") == ["Bbb", "Ççç"])
    }
  }
}
