import Dispatch
import EventLoop
import TestSupport
import Testing

@testable import GraphQLTransport

/// New documents that take long to prepare, of many requests at once.
@Suite("Preparation of documents", .timeLimit(.minutes(5)))
struct DocumentPreparationTests {
  private static let padding = String(repeating: " ", count: LargeRequest.documentBytes)

  /// Work that keeps the only thread of a pool busy until it is released.
  private struct Hold {
    private let task: Task<Void, any Error>
    private let isBusy = Counter()
    private let gate = DispatchSemaphore(value: 0)

    init(_ pool: WorkerPool) {
      task = Task { [isBusy, gate] in
        try await pool.run {
          isBusy.increment()
          gate.wait()
        }
      }
    }

    func begins() async { await isBusy.wait(for: 1) }

    func release() async throws {
      gate.signal()
      try await task.value
    }
  }

  private func waitUntilWaiting(_ count: Int, on server: NewsServer) async throws {
    try await waitUntil("\(count) requests wait for a preparation.") {
      await server.onLoop { $0.runner.preparations.waitingCount } == count
    }
  }

  /// Lets the only thread for documents prepare one after `send`, and calls `body` while it is busy again.
  private func run<Sent>(
    waiting: Int,
    _ send: (NewsServer) async throws -> Sent,
    whileBusy body: (Sent) async throws -> Void
  ) async throws {
    let pool = try WorkerPool(threads: 1, queueLimit: 10)
    try await NewsServer.run(workers: pool) { server in
      let before = Hold(pool)
      await before.begins()
      let sent = try await send(server)
      try await waitUntilWaiting(waiting, on: server)
      // However many requests wait, nothing else is queued for the thread.
      try await waitUntil("The preparation is queued.") { pool.waitingCount >= 1 }
      #expect(pool.waitingCount == 1)
      let after = Hold(pool)
      try await waitUntil("The other work is queued.") { pool.waitingCount >= 2 }
      try await before.release()
      await after.begins()
      try await body(sent)
      try await after.release()
    }
    pool.stop()
  }

  @Test func `requests that wait with the same new document have it prepared once`() async throws {
    let document = "{ me \(Self.padding) }"
    try await run(waiting: 7) { server in
      let sockets = [("ada", try await server.connect("ada")), ("bob", try await server.connect("bob"))]
      for (_, socket) in sockets {
        for id in 1...4 { try await socket.subscribe("\(id)", document) }
      }
      return sockets
    } whileBusy: { sockets in
      for (person, socket) in sockets {
        for id in 1...4 {
          let (response, end) = (try await socket.receive(), try await socket.receive())
          #expect(response == next("\(id)", #"{"data":{"me":"\#(person)"}}"#))
          #expect(end == complete("\(id)"))
        }
      }
    }
  }

  @Test func `requests that wait with the same invalid document have it validated once`() async throws {
    try await run(waiting: 2) { server in
      let socket = try await server.connect("ada")
      for id in 1...3 { try await socket.subscribe("\(id)", "{ unknown \(Self.padding) }") }
      return socket
    } whileBusy: { socket in
      for _ in 1...3 {
        let response = "\(try await socket.receive())"
        #expect(response.contains("Cannot query field"), "\(response)")
      }
    }
  }

  @Test func `clients of event streams and JSON wait for the same preparation`() async throws {
    try await run(waiting: 2) { server in
      var streams: [EventStreamTests.Stream] = []
      for _ in 1...3 {
        let document = "subscription { news { text } \(Self.padding) }"
        streams.append(try await .post(server.port, document, accept: "text/event-stream, application/json"))
      }
      return streams
    } whileBusy: { streams in
      for stream in streams {
        let head = try await stream.head()
        #expect(head.first == "HTTP/1.1 200 OK")
      }
    }
  }

  /// As urql sends it.
  private static let accept =
    "application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed"

  @Test func `clients of event streams and JSON have the same invalid document validated once`() async throws {
    try await run(waiting: 2) { server in
      var streams: [EventStreamTests.Stream] = []
      for _ in 1...3 {
        let document = "{ unknown \(Self.padding) }"
        streams.append(try await .post(server.port, document, "Connection: close\r\n", accept: Self.accept))
      }
      return streams
    } whileBusy: { streams in
      for stream in streams {
        let response = String(decoding: try await stream.end(), as: UTF8.self)
        #expect(response.hasPrefix("HTTP/1.1 422 ") && response.contains("Cannot query field"), "\(response)")
      }
    }
  }

  @Test func `a request is cancelled whose client ends its side while the document waits`() async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 10) { server, pool, gate in
      let document = "{ me \(Self.padding) }"
      let stream = try await EventStreamTests.Stream.post(server.port, document, accept: "application/json")
      try await waitUntil("The preparation is queued.") { pool.waitingCount == 1 }
      stream.socket.sendEnd()
      // The only loop has noticed that when it answers later connections.
      for _ in 0..<3 { _ = try await server.connect() }
      gate.signal()
      let response = String(decoding: try await stream.end(), as: UTF8.self)
      #expect(response.hasPrefix("HTTP/1.1 503 ") && response.contains(#""code":"REQUEST_CANCELLED""#), "\(response)")
    }
  }

  @Test func `a document with @defer is prepared once for a client of event streams and parts`() async throws {
    try await run(waiting: 0) { server in
      let document = "{ hello ... @defer { me } \(Self.padding) }"
      return try await EventStreamTests.Stream.post(server.port, document, accept: Self.accept)
    } whileBusy: { stream in
      let head = try await stream.head()
      #expect(head.contains(#"Content-Type: multipart/mixed; boundary="-""#), "\(head)")
    }
  }

  /// Each combination of the values of conditions has a plan of its own.
  @Test func `a further plan of a known document is made once`() async throws {
    let document = "query($a: Boolean!) { me @include(if: $a) hello \(Self.padding) }"
    let pool = try WorkerPool(threads: 1, queueLimit: 10)
    try await NewsServer.run(workers: pool) { server in
      let ada = try await server.connect("ada")
      let ask = { (id: String, isIncluded: Bool) in
        try await ada.subscribe(id, document, #","variables":{"a":\#(isIncluded)}"#)
        let me = isIncluded ? #""me":"ada","# : ""
        let (response, end) = (try await ada.receive(), try await ada.receive())
        #expect(response == next(id, #"{"data":{\#(me)"hello":"Hello, you!"}}"#))
        #expect(end == complete(id))
      }
      try await ask("1", true)
      try await ask("2", false)
      let hold = Hold(pool)
      await hold.begins()
      // The thread is busy, so both plans must be known.
      try await ask("3", true)
      try await ask("4", false)
      try await hold.release()
    }
    pool.stop()
  }
}
