import TestSupport
import Testing

@testable import Hearth

@Suite("Pages of other sites")
struct CrossOriginTests {
  static let app = "https://app.example.com"
  static let query = #"{"query":"{__typename}"}"#
  static let preflight = [
    ("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", "authorization, content-type"),
  ]

  @Test func `may read nothing, unless they are named`() async throws {
    try await TestServer.run { server in
      let answer = try await server.http.post(Self.query, headers: [("Origin", Self.app)])
      #expect(answer.status == 200)
      #expect(answer.headers["access-control-allow-origin"] == nil)
      let asked = try await server.http.send("OPTIONS", "/graphql", headers: [("Origin", Self.app)] + Self.preflight)
      #expect(asked.status == 204)
      #expect(!asked.headers.keys.contains { $0.hasPrefix("access-control-") })
    }
  }

  @Test func `of allowed origins can send requests and read responses`() async throws {
    try await TestServer.run(configure: { $0.allowedOrigins = [Self.app] }) { server in
      for target in ["/graphql", "/graphql/validate"] {
        let asked = try await server.http.send("OPTIONS", target, headers: [("Origin", Self.app)] + Self.preflight)
        #expect(asked.status == 204)
        #expect(asked.headers["access-control-allow-origin"] == Self.app)
        #expect(asked.headers["access-control-allow-methods"] == "GET, POST")
        // `Documentation/troubleshooting.md` has the same list.
        #expect(
          asked.headers["access-control-allow-headers"]
            == "Authorization, Content-Type, GraphQL-Require-Preflight, Apollo-Require-Preflight, "
            + "X-Apollo-Operation-Name, apollographql-client-name, apollographql-client-version, Idempotency-Key, "
            + "If-None-Match, Last-Event-ID, traceparent, tracestate"
        )
        #expect(asked.headers["vary"] == "Origin")
      }
      for body in [Self.query, "{", #"{"query":"{nothing}"}"#] {
        let answer = try await server.http.post(body, headers: [("Origin", Self.app)])
        #expect(answer.headers["access-control-allow-origin"] == Self.app)
        #expect(answer.headers["access-control-expose-headers"] == "ETag, Retry-After")
        #expect(answer.headers["access-control-allow-credentials"] == nil)
      }
      let long = try await server.http.post(String(repeating: " ", count: 1_048_577), headers: [("Origin", Self.app)])
      #expect(long.status == 413 && long.codes == ["BODY_TOO_LONG"])
      #expect(long.headers["access-control-allow-origin"] == Self.app)
      // So are long bodies that are not read for another reason.
      let rejections: [(String, String?, String)] = [
        ("text/plain", nil, "UNSUPPORTED_MEDIA_TYPE"), ("application/json", "image/png", "NOT_ACCEPTABLE"),
        ("multipart/form-data; boundary=x", nil, "PREFLIGHT_REQUIRED"),
      ]
      for (contentType, accept, code) in rejections {
        let rejected = try await server.http.post(
          String(repeating: " ", count: 70_000),
          contentType: contentType,
          accept: accept,
          headers: [("Origin", Self.app)]
        )
        #expect(rejected.codes == [code], "\(rejected.text)")
        #expect(rejected.headers["access-control-allow-origin"] == Self.app)
      }
      for other in ["https://evil.example", "https://app.example.com.evil.example", "http://app.example.com", "null"] {
        let answer = try await server.http.post(Self.query, headers: [("Origin", other)])
        #expect(answer.headers["access-control-allow-origin"] == nil)
        let asked = try await server.http.send("OPTIONS", "/graphql", headers: [("Origin", other)] + Self.preflight)
        #expect(asked.headers["access-control-allow-origin"] == nil)
        #expect(asked.headers["access-control-allow-methods"] == nil)
      }
    }
  }

  /// A page can receive a response from a cache that was stored for another request without an origin.
  @Test func `get what caches have stored`() async throws {
    let targets = [
      "/graphql?query=%7B__typename%7D", "/graphql/schema.graphql", "/media/placeholder/sunrise/initials-4d.svg",
    ]
    for (origins, allowed) in [([Self.app], nil), (["*"], "*"), ([], nil)] as [(Set<String>, String?)] {
      try await TestServer.run(configure: { $0.allowedOrigins = origins }) { server in
        for target in targets {
          let answer = try await server.http.send("GET", target)
          #expect(answer.status == 200, "\(target)")
          #expect(answer.headers["access-control-allow-origin"] == allowed, "\(target)")
          let varies = answer.headers["vary"]?.contains("Origin") ?? false
          #expect(varies == !origins.isEmpty, "\(target)")
        }
      }
    }
  }

  @Test func `may all of them, where all are named`() async throws {
    try await TestServer.run(configure: { $0.allowedOrigins = ["*"] }) { server in
      let answer = try await server.http.post(Self.query, headers: [("Origin", "https://any.example")])
      #expect(answer.headers["access-control-allow-origin"] == "*")
    }
  }

  /// An origin that no header can contain is without effect.
  @Test func `get their own origin, where several are named`() async throws {
    let origins: Set = [Self.app, "https://other.example:8443", "https://evil.example\r\nX-Evil: 1"]
    try await TestServer.run(configure: { $0.allowedOrigins = origins }) { server in
      for origin in [Self.app, "https://other.example:8443", "https://evil.example"] {
        let answer = try await server.http.post(Self.query, headers: [("Origin", origin)])
        #expect(answer.headers["access-control-allow-origin"] == (origins.contains(origin) ? origin : nil))
        #expect(answer.headers["vary"] == "Origin")
        #expect(answer.headers["x-evil"] == nil)
      }
    }
  }

  @Test func `that are named may read event streams`() async throws {
    try await TestServer.run(configure: { $0.allowedOrigins = [Self.app] }) { server in
      let port = server.port
      for (origin, isAllowed) in [(Self.app, true), ("https://evil.example", false)] {
        for body in [Self.query, "{"] {
          let text = try await TestThread {
            let socket = try TestSocket(port: port)
            try socket.send(
              "POST /graphql HTTP/1.1\r\nHost: h\r\nConnection: close\r\nAccept: text/event-stream\r\nOrigin: \(origin)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            return String(decoding: try socket.receiveAll(), as: UTF8.self)
          }.value
          #expect(text.contains("Access-Control-Allow-Origin: \(Self.app)\r\n") == isAllowed, "\(text)")
          #expect(text.contains("Vary: Origin\r\n"))
        }
      }
    }
  }

  @Test(arguments: [
    ([], "", true), ([], "Origin: http://test\r\n", false), ([], "Origin: https://evil.example\r\n", false),
    ([], "Origin: null\r\n", false), ([], "Origin: https://hearth.example\r\n", true),
    ([app], "Origin: https://app.example.com\r\n", true), ([app], "Origin: http://app.example.com\r\n", false),
    (["*"], "Origin: https://evil.example\r\n", true),
  ])
  func `that are named may open WebSockets, and the server's own`(
    allowed: [String],
    header: String,
    isAdmitted: Bool
  ) async throws {
    try await TestServer.run(configure: {
      $0.allowedOrigins = Set(allowed)
      $0.publicURL = "https://hearth.example"
    }) { server in
      let port = server.port
      let rejected = try await TestThread {
        do {
          _ = try TestWebSocket(port: port, headers: header)
          return nil as String?
        } catch let error as TestWebSocket.Refused {
          return error.answer
        }
      }.value
      Self.check(rejected, isAdmitted: isAdmitted)
    }
  }

  /// A page of `http://rebind.example` whose name resolves to this server's address has the same origin as its
  /// requests.
  @Test(arguments: [
    ("rebind.example", "http://rebind.example", false), ("rebind.example:8080", "http://rebind.example:8080", false),
    ("127.0.0.1.rebind.example", "http://127.0.0.1.rebind.example", false), ("0x7f.1", "http://0x7f.1", false),
    ("localhost:8080", "http://localhost:8080", true), ("LocalHost", "https://LOCALHOST", true),
    ("hearth.localhost", "http://hearth.localhost", true), ("192.168.1.7:8080", "http://192.168.1.7:8080", true),
    ("[::1]:8080", "http://[::1]:8080", true), ("localhost", "http://localhost:81", false),
    ("localhost", "http://rebind.example", false),
  ])
  func `of this server may open WebSockets by an address or a name that is known`(
    host: String,
    origin: String,
    isAdmitted: Bool
  ) async throws {
    try await TestServer.run { server in
      let rejected = try await Self.rejection(server, host, origin)
      Self.check(rejected, isAdmitted: isAdmitted)
      // A program is not led here by a name.
      let program = try await Self.rejection(server, host, nil)
      #expect(program == nil)
    }
    try await TestServer.run(configure: { $0.publicURL = "https://Rebind.example:8443/" }) { server in
      let isPublic = origin.hasSuffix("//\(host)") && host.prefix { $0 != ":" } == "rebind.example"
      let rejected = try await Self.rejection(server, host, origin)
      Self.check(rejected, isAdmitted: isAdmitted || isPublic)
    }
  }

  @Test func `whose name is longer than any host's may not open WebSockets`() async throws {
    try await TestServer.run { server in
      let host = "\(String(repeating: "a", count: 4_000)).localhost"
      let rejected = try await Self.rejection(server, host, "http://\(host)")
      #expect(rejected?.hasPrefix("HTTP/1.1 403 ") == true)
    }
  }

  /// - Parameter rejected: the response to a handshake that the server rejected.
  private static func check(_ rejected: String?, isAdmitted: Bool) {
    #expect((rejected == nil) == isAdmitted)
    guard let rejected else { return }
    #expect(rejected.hasPrefix("HTTP/1.1 403 ") && rejected.contains("ORIGIN_NOT_ALLOWED"), "\(rejected)")
  }

  private static func rejection(_ server: TestServer, _ host: String, _ origin: String?) async throws -> String? {
    let port = server.port
    return try await TestThread {
      do {
        _ = try TestWebSocket(port: port, host: host, headers: origin.map { "Origin: \($0)\r\n" } ?? "")
        return nil
      } catch let error as TestWebSocket.Refused {
        return error.answer
      }
    }.value
  }
}
