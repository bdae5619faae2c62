import Foundation
import Testing

@testable import Hearth

@Suite("Chores come by priority, then by due time, those without one last")
struct ChoreOrderTests {
  private struct Wanted: Hashable {
    let priority: Int
    let day: Int?
    let number: Int

    var dueAt: String? { day.map { "2026-12-\($0 < 10 ? "0" : "")\($0)T08:00:00Z" } }
    var order: [Int] { [-priority, day ?? 99, number] }
  }

  @Test func `also with many ties, and over pages`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      var wanted: [Wanted] = []
      // A few values only, unsorted.
      for number in 0..<72 {
        let day = number % 4 == 3 ? nil : 1 + (number * 7) % 3
        wanted.append(Wanted(priority: [5, 10, 1][(number * 5) % 3], day: day, number: number))
      }
      var ids: [Value: Wanted] = [:]
      for chore in wanted {
        let id = try await ada.addChore("\(chore.number)", priority: chore.priority, dueAt: chore.dueAt, for: [mia])
        ids[.string(id)] = chore
      }
      let expected = wanted.sorted { $0.order.lexicographicallyPrecedes($1.order) }
      for list in [PagedList.chores, .assignedChores] {
        for size in [100, 7, 1] {
          var seen: [Wanted?] = []
          var after: Value = nil
          repeat {
            let page = try await list.page(ada.parent, first: size, after: after)
            seen += page["nodes"].each("id").map { ids[$0] }
            after = page["pageInfo.hasNextPage"] == true ? page["pageInfo.endCursor"] : nil
          } while after != .null
          #expect(seen == expected, "\(list.name) by \(size)")
        }
      }
    }
  }

  @Test func `due times at the ends of the range keep their order`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let times = ["0001-01-02T00:00:00Z", "1969-12-31T23:59:59.999Z", "2026-12-01T08:00:00Z", "9999-12-30T23:59:59Z"]
      for time in times.reversed() { _ = try await ada.addChore(dueAt: time, for: [mia]) }
      _ = try await ada.addChore(for: [mia])
      let document = "{ family { chores { nodes { dueAt } } children { assignedChores { nodes { dueAt } } } } }"
      let family = try await ada.parent.ask(document)["data.family"]
      let expected = [
        "0001-01-02T00:00:00Z", "1969-12-31T23:59:59.999Z", "2026-12-01T08:00:00Z", "9999-12-30T23:59:59Z", nil,
      ]
      #expect(family["chores.nodes"].each("dueAt").map(\.string) == expected)
      #expect(family["children.0.assignedChores.nodes"].each("dueAt").map(\.string) == expected)
      for list in [PagedList.chores, .assignedChores] {
        let first = try await list.page(ada.parent, first: 2)
        let rest = try await list.page(ada.parent, first: 100, after: first["pageInfo.endCursor"])
        #expect(rest["nodes"].list.count == 3)
      }
    }
  }
}
