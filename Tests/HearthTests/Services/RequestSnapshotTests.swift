import TestSupport
import Testing

/// The requests of one loop share a reader. While one of them waits, the others must see what is committed.
@Suite("Snapshots of requests that wait", .timeLimit(.minutes(10)))
struct RequestSnapshotTests {
  /// No loop knows such a document, and preparing it takes longer than a mutation.
  private static func newDocument(_ number: Int) -> String {
    let fields = (0..<300).map { "field\($0): family { id }" }
    return "query New\(number) { \(fields.joined(separator: " ")) }"
  }

  /// A mutation that lets others be served between its fields, because their payloads are long.
  private static let serial: String = {
    let fields = (0..<10).map { field in
      let lists = (0..<40).map { "list\($0): items(first: 100) { nodes { id name } }" }
      let family = "family { \(lists.joined(separator: " ")) }"
      return #"field\#(field): updateFamily(input: { name: "F\#(field)" }) { \#(family) }"#
    }
    return "mutation { \(fields.joined(separator: " ")) }"
  }()

  @Test func `others read their writes while a new document is prepared`() async throws {
    try await Self.expectOwnWritesToBeRead { ben, number in try await ben.parent.post(Self.newDocument(number)) }
  }

  @Test func `others read their writes between the fields of a mutation`() async throws {
    try await Self.expectOwnWritesToBeRead { ben, _ in try await ben.parent.post(Self.serial) }
  }

  /// Repeats `other`, with numbers from 0 on, while a second family adds items and counts them.
  private static func expectOwnWritesToBeRead(
    while other: @escaping @Sendable (Household, Int) async throws -> HTTPAnswer
  ) async throws {
    try await TestServer.run(loops: 1) { server in
      let ada = try await Household(on: server)
      let ben = try await Household(on: server, email: "ben@example.com", name: "Ben")
      for _ in 0..<3 { _ = try await ben.addItem() }
      let others = Task {
        var number = 0
        while !Task.isCancelled {
          let answer = try await other(ben, number)
          // Otherwise nothing would wait.
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
