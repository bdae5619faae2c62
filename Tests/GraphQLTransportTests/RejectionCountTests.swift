import TestSupport
import Testing

/// Every request that is not executed is counted, whatever the reason is.
@Suite("Counted rejections")
struct RejectionCountTests {
  @Test func `of mutations by GET, and of subscriptions without a source stream`() async throws {
    try await NewsServer.run { server in
      let stream = try await EventStreamTests.Stream(
        server.port,
        "GET /graphql?query=mutation%7B__typename%7D HTTP/1.1\r\nHost: test\r\n\r\n"
      )
      #expect(try await stream.head().first == "HTTP/1.1 405 Method Not Allowed")
      #expect(await server.metrics().contains("\ngraphql_refusals_total 1\n"))
      let socket = try await server.connect()
      try await socket.subscribe("a", "subscription { mine { text } }")
      #expect("\(try await socket.receive())".contains("UNAUTHENTICATED"))
      #expect(await server.metrics().contains("\ngraphql_refusals_total 2\n"))
    }
  }
}
