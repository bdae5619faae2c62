import Testing

@testable import GraphQL

@Suite("Plan cache")
struct PlanCacheTests {
  static func operation(_ text: String, _ server: ZooServer) throws -> PreparedOperation {
    try server.preparation.prepare(Array(text.utf8), operationName: nil)
  }

  @Test func `finds an operation by its bytes and its name`() throws {
    let server = try ZooServer()
    var cache = PlanCache()
    let (one, other) = ("{ a: __typename }", "{ b: __typename }")
    let operation = try Self.operation(one, server)
    cache.insert(operation, for: ArraySlice(one.utf8), named: nil)
    #expect(cache.operation(for: ArraySlice(one.utf8), named: nil) === operation)
    #expect(cache.operation(for: ArraySlice(one.utf8), named: "A") == nil)
    #expect(cache.operation(for: ArraySlice(other.utf8), named: nil) == nil)
  }

  @Test func `keeps what is used when it is full`() throws {
    let server = try ZooServer()
    var cache = PlanCache(maximumCount: 10)
    for round in 0..<100 {
      for text in ["{ kept: __typename }", "{ a\(round): __typename }"] {
        let bytes = ArraySlice(text.utf8)
        if cache.operation(for: bytes, named: nil) != nil { continue }
        #expect(round == 0 || !text.contains("kept"), "round \(round)")
        let operation = try Self.operation(text, server)
        cache.insert(operation, for: bytes, named: nil)
      }
    }
  }

  @Test func `is bounded in bytes, those of the plans included`() throws {
    let server = try ZooServer()
    var cache = PlanCache(maximumBytes: 400_000)
    var found = 0
    let texts = (0..<40).map { index in
      "{ cat { " + (0..<50).map { "a\(index)_\($0): id" }.joined(separator: " ") + " } }"
    }
    for text in texts {
      let operation = try Self.operation(text, server)
      _ = try operation.plan(for: .none, server.executable)
      cache.insert(operation, for: ArraySlice(text.utf8), named: nil)
    }
    for text in texts where cache.operation(for: ArraySlice(text.utf8), named: nil) != nil {
      found += 1
    }
    #expect(found > 3 && found < 30, "\(found)")
  }

  @Test func `takes nothing that is larger than a share of it`() throws {
    let server = try ZooServer()
    var cache = PlanCache(maximumCount: 0, maximumBytes: 100)
    let text = "{ a: __typename }"
    let operation = try Self.operation(text, server)
    cache.insert(operation, for: ArraySlice(text.utf8), named: nil)
    #expect(cache.operation(for: ArraySlice(text.utf8), named: nil) == nil)
  }
}
