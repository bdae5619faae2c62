import Dispatch
import TestSupport
import Testing

@testable import GraphQL
@testable import GraphQLTransport

@Suite("The end of a session", .timeLimit(.minutes(1)))
struct SessionEndTests {
  @Test(arguments: [false, true])
  func `no event that is published after it reaches its connections`(endsTopic: Bool) async throws {
    try await NewsServer.run { server in
      let document = "subscription { mine { text } }"
      let socket = try await server.connect("ada")
      try await socket.subscribe("a", document)
      let stream = try await EventStreamTests.Stream.post(server.port, document, "Authorization: Bearer ada\r\n")
      try await stream.begin()
      await server.waitForSubscriptions(2)
      let (desk, hasEnded) = (server.desk, DispatchSemaphore(value: 0))
      await server.onLoop { handler in
        // On another thread, as after a commit: the task that wakes the loop is behind the jobs that the loop has.
        _ = TestThread {
          desk.end(1)
          hasEnded.signal()
        }
        hasEnded.wait()
        let news = NewsDesk.News(number: 1, text: "secret")
        handler.hub.publish(SourceEvent(news, position: nil), to: Topic("news"))
        if endsTopic { handler.hub.end(Topic("news")) }
      }
      #expect(try await socket.receive() == .close(4403, "SESSION_ENDED: The session has ended: sign in again."))
      let last = try await stream.chunk()
      #expect(last.contains("SESSION_ENDED"), "\(last)")
    }
  }

  private static let rightsChanged = TestWebSocket.Frame.close(
    1013,
    "RIGHTS_CHANGED: Your rights have changed: reconnect."
  )

  /// The rights of a session can change without a report, as when another process has changed them.
  @Test(arguments: ["ada", "slow-ada"])
  func `a caller with new rights ends the connections that were opened with others`(token: String) async throws {
    try await NewsServer.run { server in
      let before = await server.handleCount()
      let counts = server.handler.options.connectionCounts
      let (first, bob) = (try await server.connect("ada"), try await server.connect("bob"))
      server.desk.rights.increment()
      let second = try await server.connect(token)
      #expect(try await first.receive() == Self.rightsChanged)
      #expect(Set(counts.sessions.map { [$0.id, $0.rights] }) == [[1, 1], [2, 0]])
      server.desk.rights.increment()
      try await second.send(#"{"type":"ping","payload":{"Authorization":"Bearer \#(token)"}}"#)
      #expect(try await second.receive() == Self.rightsChanged)
      #expect(await server.sessionCount() == 1)
      #expect(counts.sessions.map(\.id) == [2])
      for socket in [first, second, bob] { socket.socket.socket.close() }
      try await server.waitForHandles(before)
      #expect(counts.sessions.isEmpty)
    }
  }

  @Test func `a mutation is answered before a renewal with other rights closes its socket`() async throws {
    try await NewsServer.run { server in
      let (socket, gate) = (try await server.connect("ada"), Gate())
      server.desk.whenSaid { _ in await gate.pass() }
      try await socket.subscribe("a", #"mutation { say(text: \"hi\") }"#)
      server.desk.rights.increment()
      try await socket.send(#"{"type":"ping","payload":{"Authorization":"Bearer ada"}}"#)
      try await socket.send(#"{"type":"ping"}"#)
      #expect(try await socket.receive() == .text(#"{"type":"pong"}"#))
      gate.open()
      #expect(try await socket.receive() == next("a", #"{"data":{"say":"hi"}}"#))
      #expect(try await socket.receive() == complete("a"))
      #expect(try await socket.receive() == Self.rightsChanged)
    }
  }
}
