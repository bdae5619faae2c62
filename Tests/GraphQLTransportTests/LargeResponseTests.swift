import Dispatch
import EventLoop
import TestSupport
import Testing

@testable import GraphQLTransport

/// Responses of more than 512 KB are compressed on another thread, while the loop continues.
@Suite("Large responses", .timeLimit(.minutes(5)))
struct LargeResponseTests {
  /// Its response is large, and has data and an error.
  private static let query = "{ long(bytes: \(ResponseFormat.maximumBytesOnLoop)) broken }"

  private func ask(_ server: NewsServer) async throws -> EventStreamTests.Stream {
    try await EventStreamTests.Stream.post(
      server.port,
      Self.query,
      "Accept-Encoding: gzip\r\n",
      accept: "application/graphql-response+json"
    )
  }

  @Test func `are compressed elsewhere`() async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 1) { server, pool, gate in
      let stream = try await ask(server)
      try await waitUntil("The response is queued for the worker thread.") { pool.waitingCount == 1 }
      gate.signal()
      let head = try await stream.head()
      #expect(head.first == "HTTP/1.1 294 Partial Success")
      #expect(head.contains("Content-Encoding: gzip"), "\(head)")
    }
  }

  @Test func `have the same status if too many wait, and are not compressed`() async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 1) { server, pool, gate in
      let queued = Task { try await pool.run {} }
      try await waitUntil("The queue is full.") { pool.waitingCount == 1 }
      let head = try await ask(server).head()
      #expect(head.first == "HTTP/1.1 294 Partial Success")
      #expect(!head.contains("Content-Encoding: gzip"), "\(head)")
      gate.signal()
      try await queued.value
    }
  }
}
