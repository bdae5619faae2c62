import Dispatch
import EventLoop
import HTTPServer
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

  private func ask(_ server: NewsServer, list documents: [String]) async throws -> EventStreamTests.Stream {
    let body = "[" + documents.map { #"{"query":"\#($0)"}"# }.joined(separator: ",") + "]"
    return try await EventStreamTests.Stream(
      server.port,
      "POST /graphql HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nAccept-Encoding: gzip\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    )
  }

  @Test func `to a list of requests are compressed elsewhere, also if each single one is smaller`() async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 1, batchSize: 2) { server, pool, gate in
      let half = "{ long(bytes: \(ResponseFormat.maximumBytesOnLoop / 2)) }"
      let stream = try await ask(server, list: [half, half])
      try await waitUntil("The response is queued for the worker thread.") { pool.waitingCount == 1 }
      gate.signal()
      let head = try await stream.head()
      #expect(head.first == "HTTP/1.1 200 OK")
      #expect(head.contains("Content-Encoding: gzip"), "\(head)")
    }
  }

  @Test func `to a list of requests count before the rest of the list is executed`() async throws {
    var options = NewsServer.quiet
    options.unsentResponses.total = 500_000
    try await NewsServer.run(options: options, batchSize: 3) { server in
      let long = "{ long(bytes: 300000) }"
      let say = #"mutation { say(text: \"late\") }"#
      let rejected = try await ask(server, list: [long, long, say])
      #expect(try await rejected.head().first == "HTTP/1.1 503 Service Unavailable")
      #expect(server.desk.kept(after: 0).isEmpty)
      let sent = try await ask(server, list: [long, say])
      #expect(try await sent.head().first == "HTTP/1.1 200 OK")
      #expect(server.desk.kept(after: 0).count == 1)
    }
  }
}
