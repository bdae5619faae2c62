import Foundation
import GraphQLServer
import Synchronization
import TestSupport
import Testing

@Suite("Mutations whose clients disconnect")
struct MutationCancellationTests {
  /// A payment in two steps: the test opens `gate` between them.
  private struct Payments: Sendable {
    let began = Gate()
    let gate = Gate()
    let recorded = Counter()
    let shipped = Counter()

    var schema: GraphQLSchema<Void> {
      var schema = GraphQLSchema<Void>("type Query { a: Int } type Mutation { pay: Int ship: Int }")
      schema.query("a") { _ in 1 }
      schema.mutation("pay") { [self] _ in
        began.open()
        await gate.pass()
        // As what a resolver awaits does.
        try Task.checkCancellation()
        recorded.increment()
        return 1
      }
      schema.mutation("ship") { [self] _ in
        shipped.increment()
        return 1
      }
      return schema
    }
  }

  private static func server(_ schema: GraphQLSchema<Void>) throws -> GraphQLServer<Void> {
    var options = GraphQLServerOptions()
    (options.port, options.threads) = (0, 1)
    options.onError = { _, _ in }
    return try GraphQLServer(schema, options: options) { _ in }
  }

  /// Begins the mutation and disconnects. Returns when the server has noticed that.
  ///
  /// - Parameter withReset: Whether the connection ends at once. Otherwise it may be half-closed, and stays open until
  ///   its response is sent.
  private static func disconnect(
    during payments: Payments,
    from port: Int,
    withReset: Bool = true
  ) async throws {
    let socket = try await TestSocket.sending("mutation { pay ship }", to: port)
    await payments.began.pass()
    if withReset { socket.reset() } else { socket.close() }
    // The only loop reads the end of the connection before the next one.
    _ = try await TestSocket.response(to: "{ a }", from: port)
  }

  @Test(arguments: [false, true])
  func `are finished, and their further root fields are not started`(withReset: Bool) async throws {
    let payments = Payments()
    let server = try Self.server(payments.schema)
    let port = try await server.start()
    try await Self.disconnect(during: payments, from: port, withReset: withReset)
    payments.gate.open()
    try await waitUntil("The payment is recorded.", atMost: .seconds(60)) { payments.recorded.count == 1 }
    _ = try await TestSocket.response(to: "{ a }", from: port)
    #expect(payments.shipped.count == 0)
    await server.shutdown(deadline: .zero)
  }

  @Test func `are waited for by a shutdown`() async throws {
    let payments = Payments()
    let server = try Self.server(payments.schema)
    let port = try await server.start()
    try await Self.disconnect(during: payments, from: port)
    let shutdown = Task {
      await server.shutdown(deadline: .seconds(3600))
      return payments.recorded.count
    }
    while (try? TestSocket(port: port)) != nil { await Task.yield() }
    payments.gate.open()
    #expect(await shutdown.value == 1)
  }

  @Test func `are waited for until the deadline`() async throws {
    let payments = Payments()
    let server = try Self.server(payments.schema)
    let port = try await server.start()
    try await Self.disconnect(during: payments, from: port)
    await server.shutdown(deadline: .milliseconds(30))
    #expect(payments.recorded.count == 0)
    payments.gate.open()
    try await waitUntil("The payment is recorded.", atMost: .seconds(60)) { payments.recorded.count == 1 }
  }

  @Test func `are waited for until the deadline, also if others end before it`() async throws {
    let (began, ended) = (Counter(), Counter())
    let gates = (0..<6).map { _ in Gate() }
    var schema = GraphQLSchema<Void>("type Query { a: Int } type Mutation { pay(number: Int!): Int }")
    schema.query("a") { _ in 1 }
    schema.mutation("pay") { request in
      let number: Int = try request.arguments["number"]
      began.increment()
      await gates[number].pass()
      ended.increment()
      return number
    }
    let server = try Self.server(schema)
    let port = try await server.start()
    for number in gates.indices {
      let socket = try await TestSocket.sending("mutation { pay(number: \(number)) }", to: port)
      await began.wait(for: number + 1)
      socket.reset()
    }
    // The only loop reads the ends of the connections before the next one.
    _ = try await TestSocket.response(to: "{ a }", from: port)
    let shutdown = Task {
      let start = ContinuousClock.now
      await server.shutdown(deadline: .seconds(1))
      return start.duration(to: .now)
    }
    while (try? TestSocket(port: port)) != nil { await Task.yield() }
    // One after another: the first ones can end before the shutdown waits for them.
    for number in gates.indices.dropLast() {
      gates[number].open()
      await ended.wait(for: number + 1)
    }
    #expect(await shutdown.value >= .milliseconds(990))
    #expect(ended.count == gates.count - 1)
    gates.last?.open()
    try await waitUntil("The last payment ends.", atMost: .seconds(60)) { ended.count == gates.count }
  }

  @Test func `are finished by an executor, too`() async throws {
    let payments = Payments()
    let executor = try GraphQLExecutor(payments.schema)
    let request = Task { await executor.execute("mutation { pay ship }", context: ()) }
    await payments.began.pass()
    request.cancel()
    payments.gate.open()
    #expect(await request.value.contains("REQUEST_CANCELLED"))
    #expect(payments.recorded.count == 1 && payments.shipped.count == 0)
  }

  @Test func `run on the loop, and their errors are as those of others`() async throws {
    var schema = GraphQLSchema<Void>(
      "type Query { a: Int } type Mutation { thread: String no: Int cat: Cat } type Cat { a: Int }"
    )
    schema.query("a") { _ in 1 }
    schema.mutation("thread") { _ in
      await Task.yield()
      return try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    }
    schema.mutation("no") { _ -> Int in throw GraphQLError("Not today.", code: "CLOSED") }
    schema.mutation("cat") { _ -> Int? in throw GraphQLError("Not today.", code: "AWAY") }
    schema.object("Cat", Int.self) { $0.field("a") { cat, _ in cat } }
    let server = try Self.server(schema)
    let port = try await server.start()
    let response = try await TestSocket.response(to: "mutation { thread no cat { a } }", from: port)
    #expect(response.contains(#"{"data":{"thread":"loop-0\n","no":null,"cat":null},"errors":["#), "\(response)")
    #expect(response.contains(#""path":["no"]"#) && response.contains(#""code":"CLOSED""#))
    #expect(response.contains(#""path":["cat"]"#) && response.contains(#""code":"AWAY""#))
    await server.shutdown(deadline: .zero)
  }
}
