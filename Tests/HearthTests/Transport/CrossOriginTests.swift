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

  @Test func `that are named may ask, and read the answers`() async throws {
    try await TestServer.run(configure: { $0.allowedOrigins = [Self.app] }) { server in
      for target in ["/graphql", "/graphql/validate"] {
        let asked = try await server.http.send("OPTIONS", target, headers: [("Origin", Self.app)] + Self.preflight)
        #expect(asked.status == 204)
        #expect(asked.headers["access-control-allow-origin"] == Self.app)
        #expect(asked.headers["access-control-allow-methods"] == "GET, POST")
        #expect(asked.headers["access-control-allow-headers"]?.contains("Authorization") == true)
        #expect(asked.headers["vary"] == "Origin")
      }
      for body in [Self.query, "{", #"{"query":"{nothing}"}"#] {
        let answer = try await server.http.post(body, headers: [("Origin", Self.app)])
        #expect(answer.headers["access-control-allow-origin"] == Self.app)
        #expect(answer.headers["access-control-allow-credentials"] == nil)
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

  @Test func `may all of them, where all are named`() async throws {
    try await TestServer.run(configure: { $0.allowedOrigins = ["*"] }) { server in
      let answer = try await server.http.post(Self.query, headers: [("Origin", "https://any.example")])
      #expect(answer.headers["access-control-allow-origin"] == "*")
    }
  }
}
