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
}
