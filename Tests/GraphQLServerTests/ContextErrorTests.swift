import GraphQLServer
import TestSupport
import Testing

@Suite("Errors of the closure that makes contexts")
struct ContextErrorTests {
  private struct Unexpected: Error {}
  private struct Locked: GraphQLErrorConvertible {
    var graphQLError: GraphQLError { GraphQLError("Locked.", code: "FORBIDDEN") }
  }

  /// A server whose closure throws an error, for as long as `body` takes.
  private static func run(
    throwing error: any Error,
    calls: Counter = Counter(),
    _ body: (Int) async throws -> Void
  ) async throws {
    var schema = GraphQLSchema<Void>("type Query { a: Int }")
    schema.query("a") { _ in 1 }
    var options = GraphQLServerOptions()
    options.port = 0
    options.threads = 1
    options.onError = { _, _ in }
    let make = { @Sendable (_: ClientRequest) throws -> Void in
      calls.increment()
      throw error
    }
    let server = try GraphQLServer(schema, options: options, context: make)
    try await server.serving(deadline: .milliseconds(200), body)
  }

  private static func post(_ port: Int, accept: String) async throws -> String {
    try await response(on: send(port, accept: accept))
  }

  /// Sends a request. Returns its connection.
  private static func send(_ port: Int, accept: String) async throws -> TestSocket {
    let body = #"{"query":"{ a }"}"#
    let lines = [
      "POST /graphql HTTP/1.1", "Host: localhost", "Connection: close", "Content-Type: application/json",
      "Accept: \(accept)", "Content-Length: \(body.utf8.count)", "", body,
    ]
    return try await TestThread {
      let socket = try TestSocket(port: port)
      try socket.send(lines.joined(separator: "\r\n"))
      return socket
    }.value
  }

  private static func response(on socket: TestSocket) async throws -> String {
    try await TestThread { String(decoding: try socket.receiveAll(), as: UTF8.self) }.value
  }

  @Test func `are not reported if the client has gone`() async throws {
    var schema = GraphQLSchema<Void>("type Query { a: Int }")
    schema.query("a") { _ in 1 }
    let (reports, began) = (Counter(), Gate())
    var options = GraphQLServerOptions()
    options.port = 0
    options.threads = 1
    options.onError = { _, _ in reports.increment() }
    let make = { @Sendable (_: ClientRequest) async throws -> Void in
      began.open()
      // Ends when the request's task is cancelled.
      try await Task.sleep(for: .seconds(60))
    }
    let server = try GraphQLServer(schema, options: options, context: make)
    try await server.serving(deadline: .milliseconds(200)) { port in
      let socket = try await Self.send(port, accept: "application/json")
      await began.pass()
      socket.sendEnd()
      let response = try await Self.response(on: socket)
      #expect(response.hasPrefix("HTTP/1.1 503 ") && response.contains(#""code":"REQUEST_CANCELLED""#), "\(response)")
    }
    #expect(reports.count == 0)
  }

  @Test(arguments: [("UNAUTHENTICATED", 401), ("FORBIDDEN", 403), ("SUSPENDED", 422)])
  func `have the status of their code, and the time after which to try again`(code: String, status: Int) async throws {
    try await Self.run(throwing: GraphQLError("No.", code: code, retryAfter: 5)) { port in
      let response = try await Self.post(port, accept: "application/graphql-response+json")
      #expect(response.hasPrefix("HTTP/1.1 \(status) "))
      #expect(response.contains("\r\nRetry-After: 5\r\n"))
      #expect(response.contains("\r\nWWW-Authenticate: Bearer\r\n") == (status == 401))
      #expect(response.hasSuffix(#"{"errors":[{"message":"No.","extensions":{"code":"\#(code)","retryAfter":5}}]}"#))
      let older = try await Self.post(port, accept: "application/json")
      #expect(older.hasPrefix("HTTP/1.1 200 ") && !older.contains("Retry-After"))
    }
  }

  @Test func `can be of a type that states what clients see`() async throws {
    try await Self.run(throwing: Locked()) { port in
      let response = try await Self.post(port, accept: "application/graphql-response+json")
      #expect(response.hasPrefix("HTTP/1.1 403 "))
      #expect(response.hasSuffix(#"{"errors":[{"message":"Locked.","extensions":{"code":"FORBIDDEN"}}]}"#))
    }
  }

  @Test func `close a WebSocket after one call`() async throws {
    let internalError = "INTERNAL_SERVER_ERROR: Something went wrong on our side."
    let cases: [(any Error, UInt16, String)] = [
      (Unexpected(), 4500, internalError), (GraphQLError("No.", code: "FORBIDDEN"), 4403, "FORBIDDEN: No."),
    ]
    for (error, code, reason) in cases {
      let calls = Counter()
      try await Self.run(throwing: error, calls: calls) { port in
        let socket = try await LiveSocket.open(port)
        try await socket.send(#"{"type":"connection_init"}"#)
        #expect(try await socket.receive() == .close(code, reason))
      }
      #expect(calls.count == 1)
    }
  }
}
