import TestSupport
import Testing

@testable import GraphQLTransport

@Suite("Live connections without a session", .timeLimit(.minutes(5)))
struct AnonymousConnectionTests {
  private struct Rejected: Error {}

  private func open(_ server: NewsServer, network: String) async throws -> LiveSocket {
    let port = server.port
    return LiveSocket(
      socket: try await TestThread { try TestWebSocket(port: port, headers: "X-Network: \(network)\r\n") }.value
    )
  }

  private func isRejected(_ server: NewsServer, network: String) async throws -> Bool {
    do {
      try await open(server, network: network).socket.socket.reset()
      return false
    } catch let refused as TestWebSocket.Refused {
      #expect(refused.answer.contains(" 429 "), "\(refused.answer)")
      return true
    }
  }

  @Test func `a network has so many and no more, and others have theirs`() async throws {
    try await NewsServer.run(anonymousConnections: 2) { server in
      let first = try await open(server, network: "a")
      let second = try await open(server, network: "a")
      try await second.initialize()
      #expect(try await isRejected(server, network: "a"))
      let stream = try await EventStreamTests.Stream.post(
        server.port,
        "subscription { news { number } }",
        "X-Network: a\r\n"
      )
      #expect(try await stream.head().first == "HTTP/1.1 429 Too Many Requests")
      _ = try await open(server, network: "b")
      // A place is free again once its connection is closed, or signed in.
      first.socket.socket.reset()
      try await waitUntil("The network has a place.") { try await !isRejected(server, network: "a") }
      try await waitUntil("The network has a place.") {
        do {
          try await open(server, network: "a").initialize("ada")
          return true
        } catch is TestWebSocket.Refused {
          return false
        }
      }
      try await waitUntil("The network has a place.") { try await !isRejected(server, network: "a") }
    }
  }
}
