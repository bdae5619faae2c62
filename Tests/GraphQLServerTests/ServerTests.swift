import GraphQLServer
import TestSupport
import Testing

@Suite("A server of resolvers")
struct ServerTests {
  /// A server for as long as `body` takes. The context's user is the bearer token, and `bad` is not accepted.
  private static func run(
    options: GraphQLServerOptions = GraphQLServerOptions(),
    waits: Bool = false,
    _ body: (Int) async throws -> Void
  ) async throws {
    var options = options
    options.port = 0
    options.threads = 1
    let make = { @Sendable (request: ClientRequest) throws -> Zoo.Context in
      if request.bearerToken == "bad" { throw GraphQLError("Sign in again.", code: "UNAUTHENTICATED") }
      return Zoo.Context(user: request.bearerToken ?? request["x-user"])
    }
    let server: GraphQLServer<Zoo.Context>
    if waits {
      server = try GraphQLServer(Zoo.schema, options: options) { request in
        await Task.yield()
        return try make(request)
      }
    } else {
      server = try GraphQLServer(Zoo.schema, options: options, context: make)
    }
    try await server.serving(deadline: .milliseconds(200), body)
  }

  private func send(_ port: Int, _ query: String, path: String = "/graphql", _ headers: String...) async throws
    -> String
  {
    let body = query.hasPrefix("{\"") ? query : #"{"query":"\#(query)"}"#
    let head = ["POST \(path) HTTP/1.1", "Host: localhost", "Connection: close", "Content-Type: application/json"]
    let lines = head + headers + ["Content-Length: \(body.utf8.count)", "", body]
    return try await TestThread {
      let socket = try TestSocket(port: port)
      try socket.send(lines.joined(separator: "\r\n"))
      return String(decoding: try socket.receiveAll(), as: UTF8.self)
    }.value
  }

  private func get(_ port: Int, _ path: String) async throws -> String {
    try await TestThread {
      let socket = try TestSocket(port: port)
      try socket.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      return String(decoding: try socket.receiveAll(), as: UTF8.self)
    }.value
  }

  @Test(arguments: [false, true])
  func `the context is created from the request's headers`(waits: Bool) async throws {
    try await Self.run(waits: waits) { port in
      let named = try await send(port, "{ user }", "X-User: Ada")
      #expect(named.hasSuffix(#"{"data":{"user":"Ada"}}"#))
      // Several spaces can follow the scheme (RFC 6750, section 2.1).
      for line in ["authorization: bearer Bob", "Authorization: Bearer   Bob"] {
        #expect(try await send(port, "{ user }", line).hasSuffix(#"{"data":{"user":"Bob"}}"#))
      }
      let anonymous = try await send(port, "{ user }")
      #expect(anonymous.hasSuffix(#"{"data":{"user":null}}"#))
    }
  }

  @Test(arguments: [false, true])
  func `an error of the context is the response`(waits: Bool) async throws {
    try await Self.run(waits: waits) { port in
      let response = try await send(port, "{ user }", "Authorization: Bearer bad")
      #expect(response.hasPrefix("HTTP/1.1 401 ") && response.contains("\r\nWWW-Authenticate: Bearer\r\n"))
      #expect(response.contains(#"{"errors":[{"message":"Sign in again.","extensions":{"code":"UNAUTHENTICATED"}}]}"#))
      let socket = try await LiveSocket.open(port)
      try await socket.send(#"{"type":"connection_init","payload":{"Authorization":"Bearer bad"}}"#)
      #expect(try await socket.receive() == .close(4403, "UNAUTHENTICATED: Sign in again."))
    }
  }

  @Test func `a WebSocket has the headers that it was opened with, and the token of its first message`() async throws {
    try await Self.run { port in
      let socket = try await LiveSocket.open(port)
      try await socket.initialize("Ada")
      try await socket.subscribe("1", "{ user }")
      #expect(try await socket.receive() == next("1", #"{"data":{"user":"Ada"}}"#))
      #expect(try await socket.receive() == complete("1"))
    }
  }

  @Test func `a subscription is its sequence, from the first element to the end`() async throws {
    try await Self.run { port in
      let socket = try await LiveSocket.open(port)
      try await socket.initialize()
      try await socket.subscribe("1", "subscription { count(to: 3) }")
      for number in 1...3 { #expect(try await socket.receive() == next("1", #"{"data":{"count":\#(number)}}"#)) }
      #expect(try await socket.receive() == complete("1"))
      // Objects, with fields that wait.
      try await socket.subscribe("2", "subscription { cats { name slow hunts } }")
      for (name, hunts) in [("Mog", 10), ("Tom", 20)] {
        let cat = #"{"name":"\#(name)","slow":"\#(name)","hunts":\#(hunts)}"#
        #expect(try await socket.receive() == next("2", #"{"data":{"cats":\#(cat)}}"#))
      }
      #expect(try await socket.receive() == complete("2"))
    }
  }

  @Test func `an event stream states that the subscription has begun`() async throws {
    try await Self.run { port in
      let response = try await send(port, "subscription { count(to: 1) }", "Accept: text/event-stream")
      let begin = try #require(response.firstRange(of: "id:\n\n"))
      #expect(response[begin.upperBound...].contains(#"{"data":{"count":1}}"#))
    }
  }

  @Test func `a request of which fields fail counts as one failure`() async throws {
    var options = GraphQLServerOptions()
    options.onError = { _, _ in }
    try await Self.run(options: options) { port in
      _ = try await send(port, "{ secret notALeaf }")
      _ = try await send(port, "{ cat(id: 100) { id } }")
      #expect(try await get(port, "/metrics").contains("\ngraphql_failures_total 1\n"))
    }
  }

  @Test func `an error of the sequence ends the subscription`() async throws {
    try await Self.run { port in
      let socket = try await LiveSocket.open(port)
      try await socket.initialize()
      try await socket.subscribe("1", "subscription { failing }")
      let error = #"[{"message":"Not today.","extensions":{"code":"CLOSED"}}]"#
      #expect(try await socket.receive() == .text(#"{"id":"1","type":"error","payload":\#(error)}"#))
    }
  }

  @Test func `a sequence is read no faster than its client reads the events`() async throws {
    let text = String(repeating: "x", count: 20_000)
    var schema = GraphQLSchema<Void>("type Query { a: Int } type Subscription { texts: String }")
    schema.query("a") { _ in 1 }
    schema.subscription("texts") { _ in
      AsyncStream<String> { continuation in
        for _ in 1...1_000 { continuation.yield(text) }
        continuation.finish()
      }
    }
    var options = GraphQLServerOptions()
    options.port = 0
    let server = try GraphQLServer(schema, options: options) { _ in }
    let port = try await server.start()
    let socket = try await LiveSocket.open(port)
    try await socket.initialize()
    try await socket.subscribe("1", "subscription { texts }")
    for number in 1...1_000 {
      // Meanwhile the server can publish all events.
      if number.isMultiple(of: 20) { _ = try await send(port, "{ a }") }
      try #require(try await socket.receive() == next("1", #"{"data":{"texts":"\#(text)"}}"#), "\(number)")
    }
    #expect(try await socket.receive() == complete("1"))
    await server.shutdown(deadline: .milliseconds(200))
  }

  @Test func `a sequence is cancelled when its client disconnects`() async throws {
    let cancelled = Gate()
    var schema = GraphQLSchema<Void>("type Query { a: Int } type Subscription { never: Int }")
    schema.query("a") { _ in 1 }
    schema.subscription("never") { _ in
      AsyncStream<Int> { continuation in
        continuation.onTermination = { _ in cancelled.open() }
        continuation.yield(1)
      }
    }
    var options = GraphQLServerOptions()
    options.port = 0
    let server = try GraphQLServer(schema, options: options) { _ in }
    let socket = try await LiveSocket.open(try await server.start())
    try await socket.initialize()
    try await socket.subscribe("1", "subscription { never }")
    #expect(try await socket.receive() == next("1", #"{"data":{"never":1}}"#))
    try await socket.send(#"{"id":"1","type":"complete"}"#)
    await cancelled.pass()
    await server.shutdown(deadline: .milliseconds(200))
  }

  @Test func `path, introspection, batches, bodies and documents are as the options say`() async throws {
    var options = GraphQLServerOptions()
    options.path = "/api"
    options.allowsIntrospection = false
    options.hasPlayground = false
    options.metricsPrefix = "zoo"
    options.bodyBytes = 200
    options.trustedDocuments = ["grid": "{ grid }"]
    options.acceptsTrustedDocumentsOnly = true
    try await Self.run(options: options) { port in
      let expectations = [
        ("/graphql", "{ grid }", "404 Not Found"),
        ("/api", #"{"documentId":"grid"}"#, #"{"data":{"grid":[[1,2],[]]}}"#),
        ("/api", "{ user }", "PERSISTED_QUERY_ID_REQUIRED"), ("/metrics", "", "405"),
        ("/api", String(repeating: " ", count: 300), "413"),
      ]
      for (path, query, expected) in expectations {
        let response = try await send(port, query, path: path)
        #expect(response.contains(expected), "\(path) \(query)")
      }
    }
  }

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func `the schema is a file, also without a playground`(allowsIntrospection: Bool, hasPlayground: Bool) async throws {
    var options = GraphQLServerOptions()
    options.allowsIntrospection = allowsIntrospection
    options.hasPlayground = hasPlayground
    try await Self.run(options: options) { port in
      let response = try await get(port, "/graphql/schema.graphql")
      #expect(response.hasPrefix("HTTP/1.1 200 ") == allowsIntrospection)
      #expect(response.contains("type Fish implements Animal") == allowsIntrospection)
    }
  }

  @Test(arguments: ["api", "/", "/api/", "//api", "/my api", "/api?version=1", ""])
  func `a path that is not one is an error of the start`(path: String) {
    var options = GraphQLServerOptions()
    options.path = path
    let error = #expect(throws: GraphQLServerOptionsError.self) {
      try GraphQLServer(Zoo.schema, options: options) { _ in Zoo.Context(user: nil) }
    }
    #expect(error?.description.hasPrefix("GraphQLServerOptions.path must be a path") == true)
    #expect(error?.description.contains("\"\(path)\"") == true)
  }

  @Test(arguments: ["http://localhost:5173/", "localhost", "localhost:5173", "https://app.example.com/app", "null", ""])
  func `an origin that is not one is an error of the start`(origin: String) {
    var options = GraphQLServerOptions()
    options.allowedOrigins = ["https://app.example.com", origin]
    let error = #expect(throws: GraphQLServerOptionsError.self) {
      try GraphQLServer(Zoo.schema, options: options) { _ in Zoo.Context(user: nil) }
    }
    #expect(error?.description.hasPrefix("GraphQLServerOptions.allowedOrigins must list origins") == true)
    #expect(error?.description.contains("\"\(origin)\"") == true)
  }

  @Test func `options out of their range are errors of the start`() {
    let changes: [(String, (inout GraphQLServerOptions) -> Void)] = [
      ("port", { $0.port = 65_536 }), ("port", { $0.port = -1 }), ("threads", { $0.threads = 0 }),
      ("bodyBytes", { $0.bodyBytes = 0 }), ("requestsPerBody", { $0.requestsPerBody = 0 }),
      ("metricsPrefix", { $0.metricsPrefix = "my app" }), ("metricsPrefix", { $0.metricsPrefix = "1_" }),
      ("publicURL", { $0.publicURL = "api.example.com" }),
    ]
    for (name, change) in changes {
      var options = GraphQLServerOptions()
      change(&options)
      let error = #expect(throws: GraphQLServerOptionsError.self) {
        try GraphQLServer(Zoo.schema, options: options) { _ in Zoo.Context(user: nil) }
      }
      #expect(error?.description.hasPrefix("GraphQLServerOptions.\(name) must ") == true)
    }
  }

  @Test func `a port in use is an error of the start, and a deadline may be endless`() async throws {
    var options = GraphQLServerOptions()
    options.port = 0
    let first = try GraphQLServer(Zoo.schema, options: options) { _ in Zoo.Context(user: nil) }
    options.port = try await first.start()
    let second = try GraphQLServer(Zoo.schema, options: options) { _ in Zoo.Context(user: nil) }
    await #expect(throws: (any Error).self) { try await second.start() }
    await first.shutdown(deadline: .seconds(Int64.max))
  }

  @Test func `a longer path and origins of all schemes are accepted`() async throws {
    var options = GraphQLServerOptions()
    options.path = "/api/v1"
    let origins: Set = ["http://localhost:5173", "http://[::1]:81", "https://a.example", "capacitor://localhost"]
    options.allowedOrigins = origins
    try await Self.run(options: options) { port in
      for origin in origins {
        let response = try await send(port, "{ user }", path: "/api/v1", "Origin: \(origin)")
        #expect(response.contains("Access-Control-Allow-Origin: \(origin)\r\n"))
        #expect(response.hasSuffix(#"{"data":{"user":null}}"#))
      }
    }
  }

  @Test func `a trusted document that is not valid is an error of the start`() throws {
    var options = GraphQLServerOptions()
    options.trustedDocuments = ["grid": "{ grid }", "typing": "{ grit }", "half": "{ grid"]
    let error = #expect(throws: GraphQLSchemaError.self) {
      try GraphQLServer(Zoo.schema, options: options) { _ in Zoo.Context(user: nil) }
    }
    let faults = try #require(error?.description).split(separator: "\n")
    #expect(faults.count == 2)
    #expect(faults.first?.hasPrefix("The trusted document half is invalid: ") == true)
    #expect(faults.last?.contains("typing") == true && faults.last?.contains("grit") == true)
  }
}
