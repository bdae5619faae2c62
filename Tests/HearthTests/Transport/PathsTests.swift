import Assets
import Testing

@testable import Hearth

@Suite("Paths and methods")
struct PathsTests {
  @Test func `the endpoint lists its methods`() async throws {
    try await TestServer.run { server in
      await checkEach(["PUT", "DELETE", "PATCH", "TRACE", "BREW"]) { method in
        let answer = try await server.http.send(method, "/graphql")
        #expect(answer.status == 405, "\(method)")
        #expect(answer.headers["allow"] == "GET, HEAD, POST, OPTIONS", "\(method)")
        #expect(answer.headers["content-type"] == PostTests.response, "\(method)")
        #expect(answer.codes == ["METHOD_NOT_ALLOWED"], "\(method)")
        let old = try await server.http.send(method, "/graphql", headers: [("Accept", "application/json")])
        #expect(old.headers["content-type"] == PostTests.json, "\(method)")
      }
    }
  }

  @Test func `OPTIONS lists the methods`() async throws {
    try await TestServer.run { server in
      // `*` is the server as a whole.
      for target in ["/graphql", "*"] {
        let answer = try await server.http.send("OPTIONS", target)
        #expect(answer.status == 204)
        #expect(answer.headers["allow"] == "GET, HEAD, POST, OPTIONS")
        #expect(answer.body.isEmpty)
      }
    }
  }

  private static let unknownPaths = [
    "/", "/graphql/", "/Graphql", "/graphql/nothing.js", "/graphq", "/healthy", "/media", "/media/",
    "/media/placeholder/pink/chore.svg", "/media/placeholder/ocean/chore.png", "/media/placeholder/ocean/../chore.svg",
    "/media/placeholder/ocean/initials-4.svg", "/media/placeholder/ocean/initials-zz.svg",
    "/media/placeholder/ocean/initials-ff.svg", "/media/placeholder/ocean/initials-+4.svg", "/%67raphql",
    "/../../etc/passwd",
  ]

  @Test func `unknown paths are reported as such`() async throws {
    try await TestServer.run { server in
      await checkEach(Self.unknownPaths) { path in
        let answer = try await server.http.get(path)
        #expect(answer.status == 404, "\(path)")
        #expect(answer.headers["content-type"] == "text/plain; charset=utf-8", "\(path)")
        #expect(answer.text.contains("/graphql"), "\(path)")
      }
    }
  }

  @Test func `a browser that asks for the root is redirected to the playground`() async throws {
    try await TestServer.run { server in
      let root = try await server.http.get("/", accept: PlaygroundPageTests.browser)
      #expect(root.status == 302 && root.headers["location"] == "/graphql")
      #expect(root.headers["vary"] == "Accept")
      let icon = try await server.http.get("/favicon.ico")
      #expect(icon.status == 302 && icon.headers["location"] == "/graphql/playground.svg")
    }
  }

  @Test func `the schema is for those who may use introspection`() async throws {
    try await TestServer.run(configure: { $0.introspection = .signedIn }) { server in
      let ada = try await Household(on: server)
      let rejected = try await server.http.get("/graphql/schema.graphql")
      #expect(rejected.status == 401 && rejected.codes == ["UNAUTHENTICATED"])
      #expect(rejected.headers["www-authenticate"] == "Bearer")
      let mine = [("Authorization", "Bearer \(ada.parent.token ?? "")")]
      let schema = try await server.http.get("/graphql/schema.graphql", headers: mine)
      #expect(schema.status == 200 && schema.text.contains("type Query"))
    }
  }

  private static let readablePaths = [
    "/health", "/ready", "/metrics", "/graphql/schema.graphql", "/media/placeholder/ocean/chore.svg",
  ]

  @Test func `what can be read can only be read`() async throws {
    try await TestServer.run { server in
      await checkEach(Self.readablePaths) { path in
        for method in ["POST", "DELETE"] {
          let answer = try await server.http.send(method, path, body: [])
          #expect(answer.status == 405, "\(method) \(path)")
          #expect(answer.headers["allow"] == "GET, HEAD", "\(method) \(path)")
        }
      }
    }
  }

  @Test func `health, readiness and figures`() async throws {
    try await TestServer.run { server in
      let health = try await server.http.get("/health")
      #expect(health.status == 200 && health.text == "ok\n")
      let ready = try await server.http.get("/ready")
      #expect(ready.status == 200 && ready.text == "ready\n")
      for answer in [health, ready] { #expect(answer.headers["cache-control"] == "no-store") }
      _ = try await server.visitor.post("{ __typename }")
      _ = try await server.visitor.post("{")
      let figures = try await server.http.get("/metrics")
      #expect(figures.status == 200)
      #expect(figures.text.contains("# TYPE hearth_graphql_requests_total counter\nhearth_graphql_requests_total 2\n"))
      #expect(figures.text.contains("\nhearth_graphql_refusals_total 1\n"))
      #expect(figures.text.contains("\nhearth_graphql_failures_total 0\n"))
    }
  }

  @Test func `the schema can be fetched, and is the one that is served`() async throws {
    try await TestServer.run { server in
      let answer = try await server.http.get("/graphql/schema.graphql")
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
      #expect(answer.body == Asset.schema.bytes)
    }
  }
}
