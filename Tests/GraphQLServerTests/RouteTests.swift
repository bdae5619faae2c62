import GraphQLServer
import Synchronization
import TestSupport
import Testing

@Suite("Routes beside the endpoint")
struct RouteTests {
  private struct Unexpected: Error {}

  /// What `onError` has received.
  private final class Reports: Sendable {
    private let texts = Mutex<[String]>([])
    var list: [String] { texts.withLock { $0 } }
    func append(_ text: String) { texts.withLock { $0.append(text) } }
  }

  /// A server with routes of each kind, whose endpoint accepts bodies of 1,000 bytes.
  private static func run(
    reports: Reports = Reports(),
    _ change: (inout GraphQLServerOptions) -> Void = { _ in },
    _ body: (Int) async throws -> Void
  ) async throws {
    var options = GraphQLServerOptions()
    (options.port, options.threads, options.bodyBytes) = (0, 1, 1_000)
    options.onError = { error, place in reports.append("\(place): \(error)") }
    options.route("POST", "/webhooks/payments", bodyBytes: 300_000) { request in
      RouteResponse(202, text: "\(request.method) \(request.path) \(request.body.count) \(request.body.startIndex)")
    }
    options.route("GET", "/ready") { request in
      RouteResponse(text: "yes, \(request.query("name") ?? "-"), \(request.client["x-tenant"] ?? "-")")
    }
    options.route("GET", "/covers/*") { RouteResponse(text: "cover \($0.path)") }
    options.route("PUT", "/covers/5") { _ in RouteResponse(204, headers: ["Set-Cookie": "a=1", "set-cookie": "b=2"]) }
    options.route("GET", "/*") { RouteResponse(text: "page \($0.path)") }
    options.route("GET", "/fails") { _ in throw Unexpected() }
    options.route("GET", "/private") { _ in throw GraphQLError("Sign in.", code: "UNAUTHENTICATED") }
    options.route("GET", "/split") { _ in RouteResponse(headers: ["X-Name": "a\r\nX-Evil: 1"]) }
    options.route("GET", "/strange") { _ in RouteResponse(99) }
    change(&options)
    var schema = GraphQLSchema<Void>("type Query { a: Int }")
    schema.query("a") { _ in 1 }
    let server = try GraphQLServer(schema, options: options) { _ in }
    try await server.serving(deadline: .milliseconds(200), body)
  }

  private static func send(
    _ port: Int,
    _ method: String,
    _ target: String,
    _ headers: [String] = [],
    body: Int = 0
  ) async throws -> String {
    let lines =
      ["\(method) \(target) HTTP/1.1", "Host: localhost", "Connection: close"] + headers
      + ["Content-Length: \(body)", "", String(repeating: " ", count: body)]
    return try await TestThread {
      let socket = try TestSocket(port: port)
      try socket.send(lines.joined(separator: "\r\n"))
      return String(decoding: try socket.receiveAll(), as: UTF8.self)
    }.value
  }

  @Test(arguments: [
    ("POST", "/webhooks/payments", 5, 202, "POST /webhooks/payments 5 0"),
    ("POST", "/webhooks/payments?id=1", 300_000, 202, "POST /webhooks/payments 300000 0"),
    ("GET", "/ready?name=Ada+L%C3%B6", 0, 200, "yes, Ada Lö, -"), ("GET", "/ready?name=%", 0, 200, "yes, -, -"),
    ("GET", "/covers/a/b.png", 0, 200, "cover /covers/a/b.png"), ("GET", "/covers/", 0, 200, "cover /covers/"),
    ("GET", "/covers", 0, 200, "page /covers"), ("GET", "/", 0, 200, "page /"),
    // What is the server's own stays that, also below a path of all others.
    ("GET", "/health", 0, 200, "ok\n"), ("GET", "/graphql/nothing", 0, 404, "Not found."),
    ("GET", "/graphqls", 0, 200, "page"), ("POST", "/graphql", 0, 400, "errors"),
    ("DELETE", "/covers/5", 0, 405, "Allow: OPTIONS, PUT\r\n"),
    ("GET", "/covers/5", 0, 405, "The methods of this path are OPTIONS, PUT.\n"),
    ("POST", "/ready", 0, 405, "Allow: GET, HEAD, OPTIONS\r\n"), ("POST", "/ready", 5_000, 405, "Allow: GET, HEAD"),
    ("OPTIONS", "/webhooks/payments", 0, 204, "Allow: OPTIONS, POST\r\n"),
    ("PUT", "/covers/5", 0, 204, "Set-Cookie: a=1\r\nset-cookie: b=2\r\n"),
  ])
  func `are found by their paths and methods`(
    method: String,
    target: String,
    length: Int,
    status: Int,
    text: String
  ) async throws {
    try await Self.run { port in
      let response = try await Self.send(port, method, target, ["Content-Type: application/json"], body: length)
      #expect(response.hasPrefix("HTTP/1.1 \(status) ") && response.contains(text), "\(response)")
    }
  }

  @Test func `for GET respond to HEAD without the body`() async throws {
    try await Self.run { port in
      let response = try await Self.send(port, "HEAD", "/covers/1")
      #expect(response.hasPrefix("HTTP/1.1 200 ") && response.contains("\r\nContent-Length: 15\r\n"))
      #expect(response.hasSuffix("\r\n\r\n"))
    }
  }

  @Test(arguments: [(204, false), (205, true), (304, false)])
  func `send no body with a status that has none`(status: Int, statesLength: Bool) async throws {
    try await Self.run { options in
      options.route("GET", "/empty") { _ in RouteResponse(status, text: "text") }
    } _: { port in
      let response = try await Self.send(port, "GET", "/empty")
      #expect(response.hasPrefix("HTTP/1.1 \(status) ") && response.hasSuffix("\r\n\r\n"), "\(response)")
      #expect(response.contains("\r\nContent-Length: 0\r\n") == statesLength, "\(response)")
    }
  }

  @Test func `accept longer bodies than the endpoint, within their own limit`() async throws {
    try await Self.run { port in
      let tooLong = [
        ("/webhooks/payments", 300_001), ("/webhooks/payments", 2_000_000), ("/graphql", 1_001), ("/graphql", 400_000),
      ]
      for (target, length) in tooLong {
        let response = try await Self.send(port, "POST", target, ["Content-Type: application/json"], body: length)
        #expect(response.hasPrefix("HTTP/1.1 413 ") && response.contains("BODY_TOO_LONG"), "\(target) \(response)")
        #expect(response.contains(target == "/graphql" ? "The limit is 1000." : "The limit is 300000."))
        #expect(!response.contains("access token"))
      }
    }
  }

  @Test func `of which a body has no declared length are limited when it was read`() async throws {
    try await Self.run { options in
      options.route("POST", "/small", bodyBytes: 10) { _ in RouteResponse() }
    } _: { port in
      for (target, length, status) in [("/small", 11, 413), ("/small", 10, 200), ("/webhooks/payments", 5_000, 202)] {
        let response = try await TestThread {
          let socket = try TestSocket(port: port)
          try socket.send(
            "POST \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "\(String(length, radix: 16))\r\n\(String(repeating: "a", count: length))\r\n0\r\n\r\n"
          )
          return String(decoding: try socket.receiveAll(), as: UTF8.self)
        }.value
        #expect(response.hasPrefix("HTTP/1.1 \(status) "), "\(target) \(length) \(response)")
      }
    }
  }

  @Test func `report their errors, except for those that clients see`() async throws {
    let reports = Reports()
    try await Self.run(reports: reports) { port in
      for target in ["/fails", "/split", "/strange"] {
        let response = try await Self.send(port, "GET", target)
        #expect(response.hasPrefix("HTTP/1.1 500 ") && !response.contains("X-Evil"), "\(response)")
      }
      let rejected = try await Self.send(port, "GET", "/private", ["Accept: application/json"])
      #expect(rejected.hasPrefix("HTTP/1.1 401 ") && rejected.contains("\r\nWWW-Authenticate: Bearer\r\n"))
      #expect(rejected.hasSuffix(#"{"errors":[{"message":"Sign in.","extensions":{"code":"UNAUTHENTICATED"}}]}"#))
    }
    #expect(
      reports.list == [
        "GET /fails: Unexpected()", "GET /split: The value of the header X-Name contains a control character.",
        "GET /strange: The status of a response must be from 200 to 599, not 99.",
      ]
    )
  }

  @Test func `are finished after a disconnection, unless they only read`() async throws {
    let (began, gate, ended, outcomes) = (Counter(), Gate(), Counter(), Reports())
    let respond = { @Sendable (request: RouteRequest) -> RouteResponse in
      began.increment()
      await gate.pass()
      outcomes.append("\(request.method) \(Task.isCancelled)")
      ended.increment()
      return RouteResponse()
    }
    try await Self.run { options in
      options.route("GET", "/slow", respond)
      options.route("POST", "/slow", respond)
    } _: { port in
      for (index, method) in ["GET", "POST"].enumerated() {
        let socket = try await TestThread {
          let socket = try TestSocket(port: port)
          try socket.send("\(method) /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
          return socket
        }.value
        await began.wait(for: index + 1)
        socket.close()
      }
      // The only loop reads the ends of the connections before the next one.
      _ = try await Self.send(port, "GET", "/health")
      gate.open()
      await ended.wait(for: 2)
    }
    #expect(outcomes.list.sorted() == ["GET true", "POST false"])
  }

  @Test func `are open to pages of allowed origins, with further headers`() async throws {
    let app = "https://app.example.com"
    try await Self.run { options in
      options.allowedOrigins = [app]
      options.allowedHeaders = ["X-Tenant", "X-Trace"]
    } _: { port in
      for (target, methods) in [("/covers/5", "OPTIONS, PUT"), ("/graphql", "GET, POST")] {
        let asked = ["Origin: \(app)", "Access-Control-Request-Method: PUT"]
        let preflight = try await Self.send(port, "OPTIONS", target, asked)
        #expect(preflight.hasPrefix("HTTP/1.1 204 "))
        #expect(preflight.contains("Access-Control-Allow-Methods: \(methods)\r\n"))
        #expect(preflight.contains(", tracestate, X-Tenant, X-Trace\r\n"))
        #expect(preflight.contains("Access-Control-Allow-Origin: \(app)\r\n"))
      }
      let response = try await Self.send(port, "GET", "/ready", ["Origin: \(app)", "X-Tenant: shop"])
      #expect(response.contains("Access-Control-Allow-Origin: \(app)\r\n") && response.hasSuffix("yes, -, shop"))
    }
  }

  @Test(arguments: [
    ("post", "/a", "a method in capital letters"), ("", "/a", "a method in capital letters"),
    ("GET", "a", "a path such as"), ("GET", "", "a path such as"), ("GET", "/a?b", "a path such as"),
    ("GET", "/ä", "a path such as"), ("GET", "/a*", "a path such as"), ("GET", "/*/b", "a path such as"),
    ("GET", "/graphql", "a path outside of the endpoint's path"),
    ("GET", "/graphql/*", "a path outside of the endpoint's path"),
    ("GET", "/twice", "once for a method and a path, and not again for GET /twice"),
  ])
  func `that are not valid are errors of the start`(method: String, path: String, message: String) {
    var options = GraphQLServerOptions()
    options.route("GET", "/twice") { _ in RouteResponse() }
    options.route(method, path) { _ in RouteResponse() }
    let error = #expect(throws: GraphQLServerOptionsError.self) {
      try GraphQLServer(Zoo.schema, options: options) { _ in Zoo.Context(user: nil) }
    }
    #expect(error?.description.hasPrefix("GraphQLServerOptions.route must ") == true)
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test(arguments: ["X Tenant", "", "X-Tenant\r\n"])
  func `headers that are not names are errors of the start`(name: String) {
    var options = GraphQLServerOptions()
    options.allowedHeaders = [name]
    let error = #expect(throws: GraphQLServerOptionsError.self) {
      try GraphQLServer(Zoo.schema, options: options) { _ in Zoo.Context(user: nil) }
    }
    #expect(error?.description.hasPrefix("GraphQLServerOptions.allowedHeaders must ") == true)
  }

  @Test func `can be tested without a server`() {
    let request = RouteRequest("POST", "/a", query: "x=1&y=%32", body: [7], client: ClientRequest(headers: ["A": "b"]))
    #expect(request.method == "POST" && request.path == "/a" && request.body == [7] && request.client["a"] == "b")
    #expect(request.query("x") == "1" && request.query("y") == "2" && request.query("z") == nil)
  }
}
