import GraphQLServer
import Synchronization
import TestSupport
import Testing

@Suite("Errors that the application handles with the context")
struct ErrorHookTests {
  private enum DatabaseError: Error { case uniqueViolation, unreachable }

  private final class Reports: Sendable {
    private let texts = Mutex<[String]>([])
    var list: [String] { texts.withLock { $0 } }
    func append(_ text: String) { texts.withLock { $0.append(text) } }
  }

  private static func schema(_ reports: Reports) -> GraphQLSchema<String> {
    var schema = GraphQLSchema<String>(
      """
      type Query { leaf(fails: Boolean!): Int later: Int numbers: [Number] }
      type Number { half: Int }
      type Subscription { sales: Int prices: Int }
      """
    )
    schema.query("leaf") { request -> Int in
      let fails: Bool = try request.arguments["fails"]
      throw fails ? DatabaseError.unreachable : DatabaseError.uniqueViolation
    }
    schema.query("later") { _ async throws -> Int in throw DatabaseError.uniqueViolation }
    schema.query("numbers") { _ in Array(1...500) }
    schema.object("Number", Int.self) { number in
      number.batchedField("half") { _, _ -> [Int] in throw DatabaseError.unreachable }
    }
    schema.subscription("sales") { _ -> AsyncStream<Int> in throw DatabaseError.uniqueViolation }
    schema.subscription("prices") { _ in
      AsyncThrowingStream<Int, any Error> { $0.finish(throwing: DatabaseError.unreachable) }
    }
    schema.clientError { error, user in
      guard case DatabaseError.uniqueViolation = error else { return nil }
      return GraphQLError("\(user), that name is taken.", code: "CONFLICT")
    }
    schema.onError { error, field, user in reports.append("\(user) \(field): \(error)") }
    return schema
  }

  @Test func `can be for clients in part`() async throws {
    let reports = Reports()
    let executor = try GraphQLExecutor(Self.schema(reports)) { _, _ in reports.append("without a context") }
    for document in ["{ leaf(fails: false) }", "{ later }", "subscription { sales }"] {
      for await response in executor.responses(to: document, context: "Ada") {
        #expect(response.contains(#""message":"Ada, that name is taken.""#), "\(document): \(response)")
        #expect(response.contains(#""code":"CONFLICT""#), "\(document): \(response)")
      }
    }
    #expect(reports.list == [])
    for document in ["{ leaf(fails: true) }", "subscription { prices }"] {
      for await response in executor.responses(to: document, context: "Bob") {
        #expect(response.contains("INTERNAL_SERVER_ERROR") && !response.contains("unreachable"))
      }
    }
    #expect(reports.list == ["Bob Query.leaf: unreachable", "Bob Subscription.prices: unreachable"])
  }

  @Test func `of a batch are reported once`() async throws {
    let reports = Reports()
    let response = try await GraphQLExecutor(Self.schema(reports)).execute("{ numbers { half } }", context: "Ada")
    #expect(response.contains(#"{"half":null},{"half":null}"#) && response.contains(#""path":["numbers",1,"half"]"#))
    #expect(reports.list == ["Ada Number.half: unreachable"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `of a server's subscription have its context, and count as failures`() async throws {
    let reports = Reports()
    var options = GraphQLServerOptions()
    (options.port, options.threads) = (0, 1)
    options.onError = { _, _ in reports.append("without a context") }
    let server = try GraphQLServer(Self.schema(reports), options: options) { _ in "Ada" }
    try await server.serving { port in
      let socket = try await LiveSocket.open(port)
      try await socket.initialize()
      try await socket.subscribe("1", "subscription { prices }")
      let frame = try await socket.receive()
      guard case .text(let text) = frame else {
        Issue.record("\(frame)")
        return
      }
      #expect(text.contains(#""type":"error""#) && text.contains("INTERNAL_SERVER_ERROR"))
      let metrics = try await TestThread {
        let socket = try TestSocket(port: port)
        try socket.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return String(decoding: try socket.receiveAll(), as: UTF8.self)
      }.value
      #expect(metrics.contains("\ngraphql_failures_total 1\n"))
    }
    #expect(reports.list == ["Ada Subscription.prices: unreachable"])
  }
}
