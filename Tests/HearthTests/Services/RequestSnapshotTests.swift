import TestSupport
import Testing

/// The requests of one loop share a reader. While one of them waits, the others must see what is committed.
@Suite("Snapshots of requests that wait", .timeLimit(.minutes(10)))
struct RequestSnapshotTests {
  /// No loop knows such a document, and preparing it takes longer than a mutation.
  private static func newDocument(_ number: Int) -> String {
    let fields = (0..<90).map { "field\($0): family { id name timeZone }" }
    return "query New\(number) { \(fields.joined(separator: " ")) }"
  }

  @Test func `others read their writes while a new document is prepared`() async throws {
    try await TestServer.run(loops: 1) { server in
      let ada = try await Household(on: server)
      let ben = try await Household(on: server, email: "ben@example.com", name: "Ben")
      let others = Task {
        var number = 0
        while !Task.isCancelled {
          let answer = try await ben.parent.post(Self.newDocument(number))
          #expect(answer.isExecuted, "\(answer.text.prefix(300))")
          number += 1
        }
      }
      for count in 1...40 {
        _ = try await ada.addItem("Item \(count)")
        let items = try await ada.parent.another.ask("{ family { items(first: 100) { nodes { id } } } }")
        #expect(items["data.family.items.nodes"].each("id").count == count)
      }
      others.cancel()
      _ = await others.result
    }
  }
}
