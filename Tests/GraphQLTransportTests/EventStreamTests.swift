import EventLoop
import HTTPServer
import TestSupport
import Testing

@testable import GraphQLTransport

/// graphql-sse, the distinct connections mode: each operation is a request, and its responses are server-sent events.
@Suite("graphql-sse")
struct EventStreamTests {
  /// The client side of an event stream.
  struct Stream: Sendable {
    let socket: TestSocket

    init(_ port: Int, _ request: String, receiveBuffer: Int32? = nil) async throws {
      socket = try await TestThread {
        let socket = try TestSocket(port: port, receiveBuffer: receiveBuffer)
        try socket.send(request)
        return socket
      }.value
    }

    static func post(
      _ port: Int,
      _ query: String,
      _ headers: String = "",
      accept: String = "text/event-stream",
      receiveBuffer: Int32? = nil
    ) async throws -> Stream {
      let body = #"{"query":"\#(query)"}"#
      return try await Stream(
        port,
        "POST /graphql HTTP/1.1\r\nHost: test\r\nAccept: \(accept)\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)",
        receiveBuffer: receiveBuffer
      )
    }

    /// The head, as lines.
    func head() async throws -> [String] {
      try await TestThread { [socket] in
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) { head += try socket.receive(1) }
        return String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
      }.value
    }

    /// A chunk, which is one event of this server; empty at the end of the body.
    func chunk() async throws -> String {
      try await TestThread { [socket] in
        var line: [UInt8] = []
        while !line.suffix(2).elementsEqual("\r\n".utf8) { line += try socket.receive(1) }
        let count = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) ?? 0
        let bytes = try socket.receive(count + 2)
        return String(decoding: bytes.dropLast(2), as: UTF8.self)
      }.value
    }

    /// Reads up to the beginning of a subscription without positions.
    func begin() async throws {
      _ = try await head()
      #expect(try await chunk() == ":\n\n")
      #expect(try await chunk() == "id:\n\n")
    }

    func end() async throws -> [UInt8] { try await TestThread { [socket] in try socket.receiveAll() }.value }
  }

  private static let complete = "event: complete\ndata:\n\n"

  @Test func `a query is answered by one event`() async throws {
    try await NewsServer.run { server in
      for query in ["{ hello }", "{ hello waiting: __typename }"] {
        let stream = try await Stream.post(server.port, query)
        let head = try await stream.head()
        #expect(head.first == "HTTP/1.1 200 OK")
        #expect(head.contains("Content-Type: text/event-stream; charset=utf-8"))
        #expect(head.contains("Transfer-Encoding: chunked"))
        #expect(try await stream.chunk() == ":\n\n")
        #expect(try await stream.chunk().hasPrefix(#"event: next\#ndata: {"data":{"hello":"Hello, you!""#))
        #expect(try await stream.chunk() == Self.complete)
        #expect(try await stream.chunk() == "")
        #expect(try await stream.end() == [])
      }
    }
  }

  @Test func `a mutation and a query that wait are too`() async throws {
    try await NewsServer.run { server in
      let answers = [
        #"mutation { say(text: \"hi\") }"#: #"{"say":"hi"}"#, "{ waiting me }": #"{"waiting":"waited","me":"ada"}"#,
      ]
      for (query, answer) in answers {
        let stream = try await Stream.post(server.port, query, "Authorization: Bearer slow-ada\r\n")
        _ = try await stream.head()
        #expect(try await stream.chunk() == ":\n\n")
        #expect(try await stream.chunk() == "event: next\ndata: {\"data\":\(answer)}\n\n")
        #expect(try await stream.chunk() == Self.complete)
      }
    }
  }

  @Test func `a request error is an event too`() async throws {
    try await NewsServer.run { server in
      for (query, code) in [
        ("{ unknown }", "GRAPHQL_VALIDATION_FAILED"), ("subscription { mine { text } }", "UNAUTHENTICATED"),
      ] {
        let stream = try await Stream.post(server.port, query)
        #expect(try await stream.head().first == "HTTP/1.1 200 OK")
        _ = try await stream.chunk()
        let event = try await stream.chunk()
        #expect(event.hasPrefix(#"event: next\#ndata: {"errors":["#) && event.contains(code))
        #expect(try await stream.chunk() == Self.complete)
      }
    }
  }

  @Test func `a subscription's events come as they happen`() async throws {
    try await NewsServer.run { server in
      let stream = try await Stream.post(server.port, "subscription { news { text } }")
      try await stream.begin()
      await server.waitForSubscriptions(1)
      for text in ["one", "two"] {
        await server.publish(1, text)
        #expect(try await stream.chunk() == "event: next\ndata: {\"data\":{\"news\":{\"text\":\"\(text)\"}}}\n\n")
      }
      await server.end(topic: "news")
      #expect(try await stream.chunk() == Self.complete)
      #expect(try await stream.chunk() == "")
    }
  }

  @Test func `a client resumes after the last event that it received`() async throws {
    try await NewsServer.run { server in
      for number in 1...5 { await server.publish(Int64(number), "", isKept: true) }
      let stream = try await Stream.post(
        server.port,
        "subscription { kept { number } }",
        "Last-Event-ID: 3\r\n"
      )
      _ = try await stream.head()
      _ = try await stream.chunk()
      // The client's own position means that the subscription has begun.
      #expect(try await stream.chunk() == "id: 3\n\n")
      for number in 4...5 {
        #expect(
          try await stream.chunk()
            == "id: \(number)\nevent: next\ndata: {\"data\":{\"kept\":{\"number\":\(number)}},"
            + "\"extensions\":{\"position\":\"\(number)\"}}\n\n"
        )
      }
    }
  }

  @Test func `a position with line ends is not sent back`() {
    for position in ["3\ndata: x", "3\r", "\r\n"] {
      #expect(EventStreamFormat.begin(at: position) == Array(":\n\n".utf8))
    }
  }

  @Test func `browsers' EventSource asks by GET, and can only read`() async throws {
    try await NewsServer.run { server in
      func get(_ query: String) async throws -> Stream {
        let stream = try await Stream(
          server.port,
          "GET /graphql?query=\(query) HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n\r\n"
        )
        #expect(try await stream.head().first == "HTTP/1.1 200 OK")
        _ = try await stream.chunk()
        return stream
      }
      #expect(try await get("%7Bhello%7D").chunk() == "event: next\ndata: {\"data\":{\"hello\":\"Hello, you!\"}}\n\n")
      #expect(try await get("mutation%7Bsay(text:%22x%22)%7D").chunk().contains("METHOD_NOT_ALLOWED"))
      let live = try await get("subscription%7Bcounted%7D")
      #expect(try await live.chunk() == "id:\n\n")
      await server.waitForSubscriptions(1)
      await server.publish(3, "")
      #expect(try await live.chunk() == "event: next\ndata: {\"data\":{\"counted\":3}}\n\n")
    }
  }

  @Test func `who takes JSON as well gets it, but for subscriptions`() async throws {
    try await NewsServer.run { server in
      let both = "application/graphql-response+json, application/json, text/event-stream, multipart/mixed"
      let query = try await Stream.post(server.port, "{ hello }", accept: both)
      #expect(try await query.head().contains("Content-Type: application/graphql-response+json; charset=utf-8"))
      let subscription = try await Stream.post(server.port, "subscription { counted }", accept: both)
      #expect(try await subscription.head().contains("Content-Type: text/event-stream; charset=utf-8"))
      let plain = try await Stream.post(server.port, "subscription { counted }", accept: "application/json")
      #expect(try await plain.head().contains("Content-Type: application/json; charset=utf-8"))
      let single = "application/graphql-response+json"
      let rejected = try await Stream.post(server.port, "subscription { counted }", accept: single)
      #expect(try await rejected.head().first?.hasPrefix("HTTP/1.1 406 ") == true)
    }
  }

  /// The operation is the first of its document on the loop.
  @Test(
    arguments: [
      ("subscription { counted } # __type", "text/event-stream; charset=utf-8"),
      (
        "subscription { counted } # __schema \(String(repeating: " ", count: LargeRequest.documentBytes))",
        "text/event-stream; charset=utf-8"
      ),
      (#"{ __type(name: \"Query\") { name } }"#, "application/graphql-response+json; charset=utf-8"),
      ("subscription { # __type", "application/graphql-response+json; charset=utf-8"),
    ]
  )
  func `clients of both types get events if introspection is mentioned`(document: String, type: String) async throws {
    let pool = try WorkerPool(threads: 1, queueLimit: 10)
    for workers in [nil, pool] {
      try await NewsServer.run(workers: workers) { server in
        let both = "application/graphql-response+json, application/json, text/event-stream"
        let stream = try await Stream.post(server.port, document, accept: both)
        let head = try await stream.head()
        #expect(head.contains("Content-Type: \(type)"), "\(head)")
      }
    }
    pool.stop()
  }

  @Test(arguments: ["text/event-stream; charset=utf-8", "text/event-stream;charset=UTF-8;q=0.9", "Text/Event-Stream"])
  func `the type can be accepted with its charset, in any case`(accept: String) async throws {
    try await NewsServer.run { server in
      let stream = try await Stream.post(server.port, "{ hello }", accept: accept)
      #expect(try await stream.head().contains("Content-Type: text/event-stream; charset=utf-8"))
    }
  }

  @Test(arguments: [
    ("subscription { kept { number } }", "Last-Event-ID: \r\n"),
    (#"subscription S { kept { number } }","extensions":{"position":""},"operationName":"S"#, ""),
  ])
  func `an empty position is ignored`(query: String, header: String) async throws {
    try await NewsServer.run { server in
      for number in 1...2 { await server.publish(Int64(number), "", isKept: true) }
      let stream = try await Stream.post(server.port, query, header)
      try await stream.begin()
      let first = try await stream.chunk()
      #expect(first.hasPrefix("id: 1\nevent: next\n"), "\(first)")
    }
  }

  @Test(arguments: [
    #"","query":""#, #"subscription { kept { number } }","extensions":{"position":3},"operationName":""#,
  ])
  func `malformed requests are rejected before the stream`(query: String) async throws {
    try await NewsServer.run { server in
      let stream = try await Stream.post(server.port, query)
      #expect(try await stream.head().first == "HTTP/1.1 400 Bad Request")
    }
  }

  @Test func `HTTP 1.0 has the events without chunks`() async throws {
    try await NewsServer.run { server in
      let stream = try await Stream(
        server.port,
        "GET /graphql?query=%7Bhello%7D HTTP/1.0\r\nHost: test\r\nAccept: text/event-stream\r\n\r\n"
      )
      _ = try await stream.head()
      let body = String(decoding: try await stream.end(), as: UTF8.self)
      #expect(body == ":\n\nevent: next\ndata: {\"data\":{\"hello\":\"Hello, you!\"}}\n\n" + Self.complete)
    }
  }

  @Test func `a silent stream shows that it lives`() async throws {
    var options = NewsServer.quiet
    options.heartbeatInterval = .milliseconds(5)
    try await NewsServer.run(options: options) { server in
      let stream = try await Stream.post(server.port, "subscription { counted }")
      _ = try await stream.head()
      var heartbeats = 0
      for _ in 0..<6 {
        if try await stream.chunk() == ":\n\n" { heartbeats += 1 }
      }
      // The other one can be the beginning of the subscription.
      #expect(heartbeats >= 5)
    }
  }

  @Test func `the end of a session and a shutdown end it`() async throws {
    try await NewsServer.run { server in
      let ada = try await Stream.post(server.port, "subscription { mine { text } }", "Authorization: Bearer ada\r\n")
      let bob = try await Stream.post(
        server.port,
        "subscription { mine { text } }",
        "Authorization: Bearer slow-bob\r\n"
      )
      for stream in [ada, bob] { try await stream.begin() }
      await server.waitForSubscriptions(2)
      server.desk.end(1)
      #expect(try await ada.chunk().contains("SESSION_ENDED"))
      #expect(try await ada.chunk() == Self.complete)
      async let shutdown: Void = server.shutdown(deadline: .seconds(60))
      #expect(try await bob.chunk().wholeMatch(of: /retry: \d+\n\n/) != nil)
      #expect(try await bob.chunk() == "")
      for stream in [ada, bob] { stream.socket.close() }
      await shutdown
    }
  }

  @Test func `closed streams leave nothing behind`() async throws {
    try await NewsServer.run { server in
      let before = await server.handleCount()
      for round in 0..<30 {
        let token = round % 2 == 0 ? "ada" : "slow-bob"
        let stream = try await Stream.post(
          server.port,
          "subscription { mine { text } }",
          "Authorization: Bearer \(token)\r\n"
        )
        if round % 3 == 0 { _ = try await stream.head() }
        if round % 5 == 0 { await server.publish(1, "") }
        if round % 2 == 0 { stream.socket.reset() } else { stream.socket.close() }
      }
      try await server.waitForHandles(before)
      #expect(await server.subscriptionCount() == 0)
      #expect(await server.sessionCount() == 0)
    }
  }
}
