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

  @Test func `keeps recently used operations when it is full`() throws {
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

  @Test func `evicts no more than it must`() throws {
    let server = try ZooServer()
    var cache = PlanCache(maximumCount: 10)
    let texts = (0..<30).map { "{ a\($0): __typename }" }
    for (count, text) in texts.enumerated() {
      cache.insert(try Self.operation(text, server), for: ArraySlice(text.utf8), named: nil)
      let found = texts.filter { cache.operation(for: ArraySlice($0.utf8), named: nil) != nil }
      #expect(found.count == min(count + 1, 10))
    }
  }

  @Test func `is bounded in bytes, including those of the plans`() throws {
    let server = try ZooServer()
    var cache = PlanCache(maximumBytes: 400_000)
    var found = 0
    let texts = (0..<40).map { index in
      "{ cat { " + (0..<50).map { "a\(index)_\($0): id" }.joined(separator: " ") + " } }"
    }
    for text in texts {
      let operation = try Self.operation(text, server)
      _ = try operation.plan(for: .none)
      cache.insert(operation, for: ArraySlice(text.utf8), named: nil)
    }
    for text in texts where cache.operation(for: ArraySlice(text.utf8), named: nil) != nil {
      found += 1
    }
    #expect(found > 3 && found < 30, "\(found)")
  }

  @Test func `rejects operations larger than a fraction of the cache`() throws {
    let server = try ZooServer()
    var cache = PlanCache(maximumCount: 0, maximumBytes: 100)
    let text = "{ a: __typename }"
    let operation = try Self.operation(text, server)
    cache.insert(operation, for: ArraySlice(text.utf8), named: nil)
    #expect(cache.operation(for: ArraySlice(text.utf8), named: nil) == nil)
  }

  @Test func `counts plans that are made after insertion`() throws {
    let server = try ZooServer()
    var cache = PlanCache(maximumBytes: 2_000_000)
    let texts = (0..<20).map { index in
      "query ($a: Boolean!, $b: Boolean!) { cat { "
        + (0..<100).map { "a\(index)_\($0): id @skip(if: $a) b\(index)_\($0): id @skip(if: $b)" }.joined(separator: " ")
        + " } }"
    }
    // Each operation is small on insertion, because its first request was rejected for its variables.
    for text in texts {
      cache.insert(try Self.operation(text, server), for: ArraySlice(text.utf8), named: nil)
    }
    #expect(texts.allSatisfy { cache.operation(for: ArraySlice($0.utf8), named: nil) != nil })
    for (a, b) in [(true, true), (true, false), (false, true), (false, false)] {
      let variables = VariableValues(names: ["a", "b"], values: [.boolean(a), .boolean(b)])
      for text in texts {
        _ = try cache.operation(for: ArraySlice(text.utf8), named: nil)?.plan(for: variables)
      }
    }
    let found = texts.filter { cache.operation(for: ArraySlice($0.utf8), named: nil) != nil }
    #expect(found.contains(texts[19]) && found.count < 15, "\(found.count)")
  }

  @Test func `an evicted operation keeps only the plans that subscriptions use`() throws {
    let server = try ZooServer()
    var cache = PlanCache(maximumCount: 1)
    let (text, other) = ("query ($a: Boolean!) { cat { id @skip(if: $a) name } }", "{ __typename }")
    let operation = try Self.operation(text, server)
    cache.insert(operation, for: ArraySlice(text.utf8), named: nil)
    let variables = [true, false].map { VariableValues(names: ["a"], values: [.boolean($0)]) }
    for values in variables { _ = try operation.plan(for: values) }
    operation.retainPlan(for: variables[0])
    #expect(operation.byteCount > operation.byteCount(for: variables[0]))
    cache.insert(try Self.operation(other, server), for: ArraySlice(other.utf8), named: nil)
    #expect(cache.operation(for: ArraySlice(text.utf8), named: nil) == nil)
    #expect(operation.byteCount == operation.byteCount(for: variables[0]))
    _ = try operation.plan(for: variables[1])
    #expect(operation.byteCount == operation.byteCount(for: variables[0]))
  }

  @Test func `the plans of an operation are limited to a fraction of the cache`() throws {
    let server = try ZooServer()
    var cache = PlanCache(maximumBytes: 64 << 20)
    let conditions = ["a", "b", "c", "d"]
    // Selections on every kind of animal, with fields of their own.
    let text =
      "query (" + conditions.map { "$\($0): Boolean!" }.joined(separator: " ") + ") { "
      + conditions.map { "\($0): cat @skip(if: $\($0)) { id }" }.joined(separator: " ")
      + (0..<300).map { " n\($0): named { name number tag a: name b: name c: number d: tag e: id }" }.joined() + " }"
    let bytes = ArraySlice(text.utf8)
    let operation = try Self.operation(text, server)
    cache.insert(operation, for: bytes, named: nil)
    for combination in 0..<16 {
      let values = conditions.indices.map { InputValue.boolean(combination >> $0 & 1 == 1) }
      _ = try operation.plan(for: VariableValues(names: conditions, values: values))
    }
    #expect(operation.byteCount > 4 << 20 && operation.byteCount <= 8 << 20, "\(operation.byteCount)")
  }
}
