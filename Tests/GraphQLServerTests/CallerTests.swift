import GraphQLServer
import TestSupport
import Testing

@Suite("Callers that a server of resolvers knows")
struct CallerTests {
  private struct Closed: Error {}

  /// A server whose context is the bearer token, `user/session` or `user` without a session, for as long as `body`
  /// takes.
  private static func run(
    knowsCallers: Bool = true,
    _ body: (GraphQLServer<String?>, Int) async throws -> Void
  ) async throws {
    let topics = GraphQLTopics<Int, Int>()
    var schema = GraphQLSchema<String?>(
      "type Query { user: String } type Subscription { posted: Post } type Post { id: Int }"
    )
    schema.query("user") { request in request.context }
    schema.subscription("posted") { _ in topics.events(of: 1) }
    schema.object("Post", Int.self) { $0.field("id", \.self) }
    if knowsCallers {
      schema.caller { token in
        guard let token else { return nil }
        guard let slash = token.firstIndex(of: "/") else { return GraphQLCaller(user: token) }
        return GraphQLCaller(user: String(token[..<slash]), session: token, expiresIn: .seconds(3600))
      }
    }
    var options = GraphQLServerOptions()
    (options.port, options.threads) = (0, 1)
    (options.limits.aliases, options.limits.tokens) = (1_000, 10_000)
    let server = try GraphQLServer(schema, options: options) { request in request.bearerToken }
    try await server.serving { port in try await body(server, port) }
  }

  private static func open(_ port: Int, _ token: String?) async throws -> LiveSocket {
    let socket = try await LiveSocket.open(port)
    try await socket.initialize(token)
    return socket
  }

  /// Subscribes with different documents that take about 50 KB of memory each. A caller has 2 MB.
  ///
  /// - Returns: How many of the subscriptions were rejected because of their memory.
  private static func subscribe(_ count: Int, on socket: LiveSocket, as name: String) async throws -> Int {
    let fields = (0..<800).map { "a\($0):id" }.joined(separator: " ")
    let comment = String(repeating: "#", count: 10_000)
    for number in 0..<count {
      let document = "subscription \(name)\(number) { posted { \(fields) } } \(comment)"
      try await socket.subscribe("\(name)\(number)", document)
    }
    // The pong comes once the subscriptions have begun.
    try await socket.send(#"{"type":"ping"}"#)
    var rejected = 0
    while true {
      guard case .text(let text) = try await socket.receive() else { throw Closed() }
      if text.hasPrefix(#"{"type":"pong""#) { return rejected }
      #expect(text.contains("take too much memory") && text.contains("TOO_MANY_OPERATIONS"), "\(text)")
      rejected += 1
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `of one user do not use up the memory for the subscriptions of others`() async throws {
    try await Self.run { _, port in
      let ada = try await Self.open(port, "ada/1")
      #expect(try await Self.subscribe(90, on: ada, as: "a") > 0)
      let again = try await Self.open(port, "ada/2")
      #expect(try await Self.subscribe(1, on: again, as: "b") == 1)
      let bob = try await Self.open(port, "bob")
      #expect(try await Self.subscribe(1, on: bob, as: "c") == 0)
    }
  }

  @Test(.timeLimit(.minutes(1))) func `that are not known are distinguished by their connections`() async throws {
    try await Self.run(knowsCallers: false) { _, port in
      let first = try await Self.open(port, nil)
      #expect(try await Self.subscribe(90, on: first, as: "a") > 0)
      let second = try await Self.open(port, nil)
      #expect(try await Self.subscribe(1, on: second, as: "b") == 0)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `cannot replace the token of a WebSocket by that of another session`() async throws {
    try await Self.run { _, port in
      let socket = try await Self.open(port, "ada/1")
      try await socket.send(#"{"type":"ping","payload":{"Authorization":"Bearer ada/1"}}"#)
      #expect(try await socket.receive() == .text(#"{"type":"pong","payload":{"renewed":true}}"#))
      try await socket.send(#"{"type":"ping","payload":{"Authorization":"Bearer ada/2"}}"#)
      #expect(try await socket.receive() == .close(4403, "FORBIDDEN: The token belongs to another session."))
    }
  }

  @Test(.timeLimit(.minutes(1))) func `are disconnected by their session`() async throws {
    try await Self.run { server, port in
      let (ended, other) = (try await Self.open(port, "ada/1"), try await Self.open(port, "ada/2"))
      #expect(try await Self.subscribe(1, on: ended, as: "a") == 0)
      let bob = try await Self.open(port, "bob")
      for session in ["ada/3", "ada/1", "bob"] { await server.disconnect(session: session) }
      for socket in [ended, bob] {
        #expect(try await socket.receive() == .close(4403, "SESSION_ENDED: The session has ended: sign in again."))
      }
      try await other.subscribe("1", "{ user }")
      #expect(try await other.receive() == next("1", #"{"data":{"user":"ada/2"}}"#))
    }
  }
}
