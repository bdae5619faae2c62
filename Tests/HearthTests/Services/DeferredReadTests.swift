import Storage
import TestSupport
import Testing

@testable import Hearth

/// Requests that read in passes, level by level, get the same responses as those whose statements are answered at once.
@Suite("Reads that are not answered at once")
struct DeferredReadTests {
  @Test func `500 random queries get byte-identical responses`() async throws {
    let directory = try TemporaryDirectory()
    let queries = try await RecordedQueries(500, seed: 17, in: directory)
    try await RecordedQueries.run(in: directory, .deferred) { server in try await queries.compare(with: server) }
  }

  @Test func `requests that wait at the same time each see one snapshot of their own`() async throws {
    try await TestServer.run(loops: 1, database: .deferred) { server in
      let ada = try await Household(on: server)
      let names = try await withThrowingTaskGroup(of: [Value].self) { group in
        for _ in 0..<8 {
          let reader = ada.parent.another
          group.addTask {
            var names: [Value] = []
            for _ in 0..<25 {
              let answer = try await reader.ask("{ a: family { name } viewer { ... on Account { family { name } } } }")
              names += [answer["data.a.name"], answer["data.viewer.family.name"]]
            }
            return names
          }
        }
        let writer = ada.parent.another
        group.addTask {
          for number in 0..<25 {
            _ = try await writer.perform(
              "mutation ($name: String!) { updateFamily(input: {name: $name}) { family { name } \(Documents.errors) } }",
              ["name": .string("Family \(number)")]
            )
          }
          return []
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for list in names {
        for index in stride(from: 0, to: list.count, by: 2) { #expect(list[index] == list[index + 1]) }
      }
    }
  }

  /// The answers have too many rows for the loop, and the one about the session is among them.
  @Test func `a request that is overdue when its session is read moves to another thread`() async throws {
    let directory = try TemporaryDirectory()
    var token = ""
    try await TestServer.run(in: directory, database: .deferred) { server in
      token = try await Household(on: server).parent.token ?? ""
    }
    // Twenty rows: two statements that have a row each are too many, when they are answered.
    let configure: (inout Configuration) -> Void = { $0.databaseLimits.loopTurn.steps = 400 }
    try await TestServer.run(loops: 1, in: directory, database: .deferred, configure: configure) { server in
      let ada = server.visitor.with(token: token)
      // The server remembers the caller from here on.
      #expect(try await ada.ask("{ viewer { __typename } }")["errors"] == nil)
      let answer = try await ada.ask("{ family { name } }")
      #expect(answer["errors"] == nil && answer["data.family.name"] != nil, "\(answer)")
    }
  }
}
