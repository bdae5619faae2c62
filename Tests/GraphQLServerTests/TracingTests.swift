import CoreMetrics
import GraphQLServer
import InMemoryTracing
import Instrumentation
import MetricsTestKit
import ServiceContextModule
import Synchronization
import TestSupport
import Testing
import Tracing

/// Applications bootstrap these systems once in a process, so these tests are the only ones that do.
@Suite("The tracer and the metrics factory of an application", .serialized)
struct TracingTests {
  private static let tracer = InMemoryTracer()
  private static let metrics = TestMetrics()
  private static let bootstrapped: Void = {
    InstrumentationSystem.bootstrap(tracer)
    MetricsSystem.bootstrap(metrics)
  }()

  private static let schema: GraphQLSchema<Int> = {
    var schema = GraphQLSchema<Int>(
      """
      type Query { pets: [Pet!]! current: String atOnce: String broken: Int }
      type Mutation { note: String }
      type Pet { name: String! owner: String! }
      """
    )
    // In a task of its own.
    schema.mutation("note") { _ in
      await Task.yield()
      return ServiceContext.current?.inMemorySpanContext?.traceID
    }
    schema.query("pets") { _ in [Pet(name: "Rex"), Pet(name: "Tom")] }
    // A span of the application, below that of the request.
    schema.query("current") { _ in
      await Task.yield()
      return withSpan("look up") { _ in ServiceContext.current?.inMemorySpanContext?.traceID }
    }
    schema.query("atOnce") { _ in
      withSpan("look up at once") { _ in ServiceContext.current?.inMemorySpanContext?.traceID }
    }
    schema.query("broken") { _ -> Int in throw Broken() }
    schema.object("Pet", Pet.self) { pet in
      pet.field("name", \.name)
      pet.field("owner", by: \.name) { names, _ in
        Dictionary(uniqueKeysWithValues: names.map { ($0, "the owner of \($0)") })
      }
    }
    return schema
  }()

  private struct Pet: Sendable { let name: String }
  private struct Broken: Error {}

  private static func run(_ body: (Int) async throws -> Void) async throws {
    _ = bootstrapped
    var options = GraphQLServerOptions()
    options.port = 0
    options.threads = 1
    options.metricsPrefix = "pets"
    options.onError = { _, _ in }
    let server = try GraphQLServer(schema, options: options) { _ in 1 }
    try await server.serving(deadline: .milliseconds(200), body)
  }

  private func send(_ query: String, to port: Int, headers: [String]) async throws -> String {
    let body = #"{"query":"\#(query)"}"#
    let lines = [
      "POST /graphql HTTP/1.1", "Host: localhost", "Connection: close", "Content-Type: application/json",
      "Content-Length: \(body.utf8.count)",
    ]
    return try await TestThread {
      let socket = try TestSocket(port: port)
      try socket.send((lines + headers + ["", body]).joined(separator: "\r\n"))
      return String(decoding: try socket.receiveAll(), as: UTF8.self)
    }.value
  }

  @Test func `requests, levels and the application's own spans are one trace, below the client's span`() async throws {
    // The tracer numbers its own traces, among them those of other tests: "trace-1".
    let trace = "the client's trace"
    try await Self.run { port in
      let answer = try await send(
        "query Pets { current atOnce pets { name owner } }",
        to: port,
        headers: ["\(InMemoryTracer.traceIDKey): \(trace)", "\(InMemoryTracer.spanIDKey): the client's"]
      )
      #expect(answer.contains(#""current":"\#(trace)""#), "\(answer)")
    }
    let spans = Self.tracer.finishedSpans.filter { $0.traceID == trace }
    let root = try #require(spans.first { $0.operationName == "query Pets" })
    #expect(root.kind == .server && root.attributes.get("graphql.operation.name") == .string("Pets"))
    #expect(root.attributes.get("graphql.operation.type") == .string("query"))
    for name in ["look up", "look up at once"] {
      #expect(spans.first { $0.operationName == name }?.parentSpanID == root.spanID)
    }
    let levels = spans.filter { $0.operationName == "level" }
    #expect(levels.allSatisfy { $0.parentSpanID == root.spanID })
    // On a busy machine the first level can take so long that the query is executed again, off the loop.
    #expect(levels.suffix(2).map { $0.attributes.get("graphql.objects") } == [.int64(2), .int64(0)])
    #expect(spans.contains { $0.operationName == "prepare" })
    for span in spans {
      #expect(span.startInstant.nanosecondsSinceEpoch <= span.endInstant.nanosecondsSinceEpoch)
      // The times of spans are made of two clocks, and a busy machine can run something else between reading them.
      #expect(root.startInstant.nanosecondsSinceEpoch <= span.startInstant.nanosecondsSinceEpoch + 5_000_000_000)
    }
  }

  @Test func `the resolver of a mutation belongs to the trace of its request`() async throws {
    try await Self.run { port in
      let headers = ["\(InMemoryTracer.traceIDKey): a mutation", "\(InMemoryTracer.spanIDKey): the client's"]
      let answer = try await send("mutation { note }", to: port, headers: headers)
      #expect(answer.contains(#"{"note":"a mutation"}"#), "\(answer)")
    }
  }

  @Test func `the factory receives counters and durations`() async throws {
    try await Self.run { port in
      _ = try await send("{ pets { name } }", to: port, headers: [])
      _ = try await send("{ nothing }", to: port, headers: [])
    }
    let requests = try Self.metrics.expectCounter("pets_graphql_requests_total")
    #expect(requests.totalValue >= 2)
    #expect(try Self.metrics.expectCounter("pets_graphql_refusals_total").totalValue >= 1)
    let durations = try Self.metrics.expectTimer("pets_graphql_request_duration_seconds", [("outcome", "ok")])
    #expect(durations.values.allSatisfy { $0 > 0 } && !durations.values.isEmpty)
  }
}
