import GraphQLServer
import Synchronization
import TestSupport
import Testing

@Suite("Contexts of events")
struct EventContextTests {
  private struct Unexpected: Error {}

  private static func schema(endingWith error: any Error) -> GraphQLSchema<String> {
    let calls = Counter()
    var schema = GraphQLSchema<String>(
      "type Query { a: Int } type Subscription { ticks: Tick } type Tick { number: Int user: String }"
    )
    schema.query("a") { _ in 1 }
    schema.subscription("ticks") { _ in
      AsyncStream<Int> { continuation in
        for number in 1...5 { continuation.yield(number) }
        continuation.finish()
      }
    }
    schema.object("Tick", Int.self) { tick in
      tick.field("number", \.self)
      tick.field("user") { _, request in request.context }
    }
    schema.eventContext { user in
      calls.increment()
      guard calls.count <= 2 else { throw error }
      return "\(user) \(calls.count)"
    }
    return schema
  }

  private static let document = "subscription { ticks { number user } }"

  private static func data(_ number: Int) -> String {
    #"{"data":{"ticks":{"number":\#(number),"user":"Ada \#(number)"}}}"#
  }

  @Test(.timeLimit(.minutes(1))) func `are made before each event, and an error ends the subscription`() async throws {
    var options = GraphQLServerOptions()
    (options.port, options.threads) = (0, 1)
    let schema = Self.schema(endingWith: GraphQLError("Sign in again.", code: "UNAUTHENTICATED"))
    let server = try GraphQLServer(schema, options: options) { _ in "Ada" }
    try await server.serving { port in
      let socket = try await LiveSocket.open(port)
      try await socket.initialize()
      try await socket.subscribe("1", Self.document)
      for number in 1...2 { #expect(try await socket.receive() == next("1", Self.data(number))) }
      let error = #"[{"message":"Sign in again.","extensions":{"code":"UNAUTHENTICATED"}}]"#
      #expect(try await socket.receive() == .text(#"{"id":"1","type":"error","payload":\#(error)}"#))
      try await socket.subscribe("2", "{ a }")
      #expect(try await socket.receive() == next("2", #"{"data":{"a":1}}"#))
    }
  }

  @Test(.timeLimit(.minutes(1))) func `are those of an executor's events, too`() async throws {
    let reports = Mutex<[String]>([])
    let executor = try GraphQLExecutor(Self.schema(endingWith: Unexpected())) { error, field in
      reports.withLock { $0.append("\(field): \(error)") }
    }
    var responses: [String] = []
    for await response in executor.responses(to: Self.document, context: "Ada") { responses.append(response) }
    #expect(responses.count == 3)
    #expect(responses.prefix(2) == [Self.data(1), Self.data(2)])
    #expect(responses.last?.contains("INTERNAL_SERVER_ERROR") == true)
    #expect(reports.withLock { $0 } == ["context: Unexpected()"])
  }
}
