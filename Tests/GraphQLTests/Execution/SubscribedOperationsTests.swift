import Testing

@testable import GraphQL

@Suite("The operations of open subscriptions")
struct SubscribedOperationsTests {
  /// An operation with 16 plans of nearly equal size. Operations of different numbers have equal sizes.
  private static func operation(_ server: ZooServer, number: Int = 0) throws -> PreparedOperation {
    let fields = (0..<100).map { "a\(100 + number)_\($0): id" }.joined(separator: " ")
    let conditional = ["a", "b", "c", "d"].map { "\($0): id @skip(if: $\($0))" }.joined(separator: " ")
    let text = "query ($a: Boolean!, $b: Boolean!, $c: Boolean!, $d: Boolean!) { cat { \(conditional) \(fields) } }"
    return try PlanCacheTests.operation(text, server)
  }

  private static func values(_ combination: Int = 0) -> VariableValues {
    let bits = (0..<4).map { InputValue.boolean(combination >> $0 & 1 == 1) }
    return VariableValues(names: ["a", "b", "c", "d"], values: bits)
  }

  /// There is room for 20 plans with their document, and for two of each caller.
  private static func subscribed(_ server: ZooServer) throws -> SubscribedOperations {
    SubscribedOperations(maximumBytes: 20 * (try operation(server).byteCount(for: values())))
  }

  @Test func `a caller without memory does not shut others out of a document that they share`() throws {
    let server = try ZooServer()
    let (shared, own) = (try Self.operation(server), try Self.operation(server, number: 1))
    var subscribed = try Self.subscribed(server)
    #expect(subscribed.add(shared, variables: Self.values(), payer: 1) == true)
    #expect(subscribed.add(own, variables: Self.values(), payer: 1) == true)
    // The rejected subscriptions have made plans all the same.
    for combination in 1..<16 {
      #expect(subscribed.add(shared, variables: Self.values(combination), payer: 1) == false)
    }
    for payer in 2...9 {
      #expect(subscribed.add(shared, variables: Self.values(), payer: payer) == true)
      #expect(subscribed.add(shared, variables: Self.values(1), payer: payer) == true)
    }
  }

  @Test func `a caller is not charged for the plans of others, nor others for the caller's`() throws {
    let server = try ZooServer()
    let (shared, own) = (try Self.operation(server), try Self.operation(server, number: 1))
    var subscribed = try Self.subscribed(server)
    #expect(subscribed.add(shared, variables: Self.values(), payer: 1) == true)
    #expect(subscribed.add(shared, variables: Self.values(1), payer: 2) == true)
    #expect(subscribed.add(shared, variables: Self.values(2), payer: 2) == true)
    #expect(subscribed.add(shared, variables: Self.values(3), payer: 2) == false)
    // Equal subscriptions take no more memory.
    #expect(subscribed.add(shared, variables: Self.values(2), payer: 2) == true)
    #expect(subscribed.add(own, variables: Self.values(), payer: 1) == true)
    #expect(subscribed.add(own, variables: Self.values(1), payer: 1) == false)
  }

  @Test func `a caller is charged no longer than their own subscriptions are open`() throws {
    let server = try ZooServer()
    let (shared, own) = (try Self.operation(server), try Self.operation(server, number: 1))
    var subscribed = try Self.subscribed(server)
    for _ in 0..<2 { #expect(subscribed.add(shared, variables: Self.values(), payer: 1) == true) }
    #expect(subscribed.add(shared, variables: Self.values(), payer: nil) == true)
    #expect(subscribed.add(own, variables: Self.values(), payer: 1) == true)
    subscribed.remove(shared, variables: Self.values(), payer: 1)
    #expect(subscribed.add(own, variables: Self.values(1), payer: 1) == false)
    subscribed.remove(shared, variables: Self.values(), payer: 1)
    #expect(subscribed.add(own, variables: Self.values(1), payer: 1) == true)
  }

  @Test func `all callers together have a limit, and share what they have in common`() throws {
    let server = try ZooServer()
    var subscribed = try Self.subscribed(server)
    let operations = try (0..<21).map { try Self.operation(server, number: $0) }
    for (payer, operation) in operations.prefix(20).enumerated() {
      #expect(subscribed.add(operation, variables: Self.values(), payer: payer) == true)
    }
    #expect(subscribed.add(operations[20], variables: Self.values(), payer: 20) == false)
    for payer in 20..<1_000 { #expect(subscribed.add(operations[0], variables: Self.values(), payer: payer) == true) }
    subscribed.remove(operations[1], variables: Self.values(), payer: 1)
    #expect(subscribed.add(operations[20], variables: Self.values(), payer: 20) == true)
    subscribed.remove(operations[0], variables: Self.values(), payer: 0)
    #expect(subscribed.add(operations[1], variables: Self.values(), payer: 1) == false)
  }

  @Test func `an evicted operation has no plans in memory that no caller is charged for`() throws {
    let server = try ZooServer()
    let operation = try Self.operation(server)
    let bytesWithoutPlans = operation.byteCount
    var cache = PlanCache(maximumCount: 1)
    cache.insert(operation, for: ArraySlice("subscribed".utf8), named: nil)
    var subscribed = try Self.subscribed(server)
    for combination in 0..<16 {
      #expect(subscribed.add(operation, variables: Self.values(combination), payer: combination) == true)
    }
    cache.insert(try Self.operation(server, number: 1), for: ArraySlice("other".utf8), named: nil)
    #expect(cache.operation(for: ArraySlice("subscribed".utf8), named: nil) == nil)
    // An event executes all plans.
    for combination in 0..<16 { _ = try operation.plan(for: Self.values(combination)) }
    for combination in 1..<16 {
      subscribed.remove(operation, variables: Self.values(combination), payer: combination)
    }
    #expect(operation.byteCount == operation.byteCount(for: Self.values()))
    // The execution of an event can continue when its subscription has ended.
    _ = try operation.plan(for: Self.values(1))
    #expect(operation.byteCount == operation.byteCount(for: Self.values()))
    subscribed.remove(operation, variables: Self.values(), payer: 0)
    #expect(operation.byteCount == bytesWithoutPlans)
  }

  @Test func `an evicted operation without subscriptions keeps the plan that its requests make`() throws {
    let server = try ZooServer()
    let operation = try Self.operation(server)
    var cache = PlanCache(maximumCount: 1)
    cache.insert(operation, for: ArraySlice("evicted".utf8), named: nil)
    cache.insert(try Self.operation(server, number: 1), for: ArraySlice("other".utf8), named: nil)
    #expect(operation.needsPlan(for: Self.values(), isIncremental: false))
    _ = try operation.plan(for: Self.values())
    #expect(!operation.needsPlan(for: Self.values(), isIncremental: false))
  }
}
