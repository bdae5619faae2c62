import Dispatch
import EventLoop
import Synchronization
import TestSupport
import Testing

@testable import GraphQLTransport

/// Requests of more than 64 KB are parsed on another thread in all transports, while the loop continues.
@Suite("Large requests over WebSocket and as event streams")
struct LargeRequestTests {
  private static let padding =
    #","extensions":{"padding":"\#(String(repeating: "x", count: LargeRequest.bytes))"}"#

  /// Waits until a request is queued for the worker thread, while the loop serves others.
  private func waitUntilQueued(_ pool: WorkerPool, _ server: NewsServer) async throws {
    let other = try await server.connect()
    try await waitUntil("A request is queued for the worker thread.") {
      if pool.waitingCount > 0 { return true }
      try await other.subscribe("a", "{ hello }")
      for _ in 0..<2 { _ = try await other.receive() }
      return false
    }
  }

  @Test func `a message is read elsewhere, and those after it wait for it`() async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 10) { server, pool, gate in
      let socket = try await server.connect("ada")
      try await socket.subscribe("large", "{ hello }", Self.padding)
      for id in ["small", "stopped"] { try await socket.subscribe(id, "{ me }") }
      try await waitUntilQueued(pool, server)
      gate.signal()
      #expect(try await socket.receive() == next("large", #"{"data":{"hello":"Hello, you!"}}"#))
      #expect(try await socket.receive() == complete("large"))
      for id in ["small", "stopped"] {
        #expect(try await socket.receive() == next(id, #"{"data":{"me":"ada"}}"#))
        #expect(try await socket.receive() == complete(id))
      }
    }
  }

  @Test func `those after a ping wait for its pong`() async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 10) { server, _, gate in
      gate.signal()
      let socket = try await server.connect("slow-ada")
      let identified = Gate()
      server.desk.whenIdentifying { await identified.pass() }
      try await socket.subscribe("a", "subscription { news { number } }")
      let padding = String(repeating: "x", count: LargeRequest.bytes)
      try await socket.send(#"{"type":"ping","payload":{"padding":"\#(padding)"}}"#)
      try await socket.send(#"{"type":"ping"}"#)
      // The only thread for large requests has read the ping when it has read a later one. What is behind the ping has
      // been read too, if it does not wait, when the loop has served later connections.
      let other = try await server.connect("bob")
      try await other.subscribe("b", "{ me }", Self.padding)
      #expect(try await other.receive() == next("b", #"{"data":{"me":"bob"}}"#))
      for _ in 0..<3 { _ = try await server.connect("bob") }
      identified.open()
      try #require(await socket.receive() == .text(#"{"type":"pong","payload":{"padding":"\#(padding)"}}"#))
      #expect(try await socket.receive() == .text(#"{"type":"pong"}"#))
    }
  }

  @Test func `large messages that follow each other are read in their order`() async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 10) { server, pool, gate in
      let socket = try await server.connect("ada")
      for id in ["1", "2", "3"] { try await socket.subscribe(id, "{ me }", Self.padding) }
      try await waitUntilQueued(pool, server)
      // The others wait in the connection.
      #expect(pool.waitingCount == 1)
      gate.signal()
      for id in ["1", "2", "3"] {
        #expect(try await socket.receive() == next(id, #"{"data":{"me":"ada"}}"#))
        #expect(try await socket.receive() == complete(id))
      }
    }
  }

  @Test func `the messages of a person with many are read in turn with those of others`() async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 10) { server, pool, gate in
      let said = Said()
      server.desk.whenSaid { said.append($0) }
      // Mutations of a client who has gone are not executed.
      var sockets: [LiveSocket] = []
      defer { withExtendedLifetime(sockets) {} }
      for (index, name) in ["ada", "ada", "ada", "bob"].enumerated() {
        let socket = try await server.connect(name)
        sockets.append(socket)
        try await socket.subscribe("1", "mutation { say(text: \\\"\(name)\\\") }", Self.padding)
        try await waitUntil("The message is queued for the worker thread.") { pool.waitingCount == index + 1 }
      }
      gate.signal()
      try await waitUntil("All messages are read.") { said.texts.count == 4 }
      #expect(said.texts == ["ada", "bob", "ada", "ada"])
    }
  }

  private final class Said: Sendable {
    private let list = Mutex<[String]>([])
    var texts: [String] { list.withLock { $0 } }
    func append(_ text: String) { list.withLock { $0.append(text) } }
  }

  /// Documents that take long to prepare: because of their size, or because planning writes their introspection.
  @Test(arguments: [
    "{ me " + String(repeating: " ", count: LargeRequest.documentBytes) + "}",
    "{ me __type(name: \"News\") { __typename } }",
  ])
  func `a new document that takes long is prepared elsewhere, and only once`(document: String) async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 10) { server, pool, gate in
      let socket = try await server.connect("ada")
      try await socket.subscribe("new", document.replacing("\"", with: "\\\""))
      try await waitUntilQueued(pool, server)
      gate.signal()
      let response = "\(try await socket.receive())"
      #expect(response.contains(#"\"me\":\"ada\""#), "\(response)")
      _ = try await socket.receive()
      // The pool's only thread is busy again. The request does not need it.
      let (isBusy, mayEnd) = (Counter(), DispatchSemaphore(value: 0))
      let busy = Task {
        try await pool.run {
          isBusy.increment()
          mayEnd.wait()
        }
      }
      await isBusy.wait(for: 1)
      try await socket.subscribe("known", document.replacing("\"", with: "\\\""))
      let again = "\(try await socket.receive())"
      #expect(again.contains(#"\"me\":\"ada\""#), "\(again)")
      mayEnd.signal()
      try await busy.value
    }
  }

  /// The response to the introspection depends on the variables, so each of their values has a plan of its own.
  @Test func `a known document is planned elsewhere for other variables of its introspection`() async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 10) { server, pool, gate in
      let socket = try await server.connect("ada")
      let document = "query($name: String!) { __type(name: $name) { name } }"
      gate.signal()
      try await socket.subscribe("first", document, #","variables":{"name":"News"}"#)
      #expect(try await socket.receive() == next("first", #"{"data":{"__type":{"name":"News"}}}"#))
      #expect(try await socket.receive() == complete("first"))
      let (isBusy, mayEnd) = (Counter(), DispatchSemaphore(value: 0))
      let busy = Task {
        try await pool.run {
          isBusy.increment()
          mayEnd.wait()
        }
      }
      await isBusy.wait(for: 1)
      try await socket.subscribe("second", document, #","variables":{"name":"Query"}"#)
      try await waitUntilQueued(pool, server)
      mayEnd.signal()
      #expect(try await socket.receive() == next("second", #"{"data":{"__type":{"name":"Query"}}}"#))
      try await busy.value
    }
  }

  @Test func `a large document of a client that takes event streams and JSON is prepared elsewhere`() async throws {
    for (operation, type) in [("subscription", "text/event-stream"), ("query", "application/json")] {
      try await NewsServer.runWithBusyWorker(queueLimit: 10) { server, pool, gate in
        let selection = operation == "query" ? "me" : "news { text }"
        let document = "\(operation) { \(selection) \(String(repeating: " ", count: LargeRequest.documentBytes)) }"
        let body = #"{"query":"\#(document)"}"#
        let stream = try await EventStreamTests.Stream(
          server.port,
          "POST /graphql HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream, application/json\r\n"
            + "Content-Type: application/json\r\nAuthorization: Bearer ada\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        try await waitUntilQueued(pool, server)
        gate.signal()
        let head = try await stream.head()
        #expect(head.contains { $0.lowercased().hasPrefix("content-type: \(type)") }, "\(head)")
      }
    }
  }

  @Test func `a large malformed message closes the socket`() async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 10) { server, _, gate in
      gate.signal()
      let socket = try await server.connect("ada")
      try await socket.send("[\(String(repeating: " ", count: LargeRequest.bytes))]")
      #expect(try await socket.receive() == .close(4400, "A message must be an object, not an array."))
    }
  }

  @Test func `a socket is closed when too many large requests wait already`() async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 1) { server, pool, gate in
      let first = try await server.connect("ada")
      try await first.subscribe("a", "{ me }", Self.padding)
      try await waitUntilQueued(pool, server)
      let second = try await server.connect("bob")
      try await second.subscribe("a", "{ me }", Self.padding)
      #expect(
        try await second.receive() == .close(1013, "OVERLOADED: The server has too many large requests.")
      )
      gate.signal()
      #expect(try await first.receive() == next("a", #"{"data":{"me":"ada"}}"#))
    }
  }

  @Test func `a client that disconnects while its message is parsed leaves nothing behind`() async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 10) { server, pool, gate in
      let socket = try await server.connect("ada")
      try await socket.subscribe("a", "subscription { mine { text } }", Self.padding)
      try await waitUntilQueued(pool, server)
      socket.socket.socket.reset()
      gate.signal()
      let other = try await server.connect()
      try await waitUntil("The session ends.") {
        if await server.sessionCount() == 0 { return true }
        try await other.subscribe("a", "{ hello }")
        for _ in 0..<2 { _ = try await other.receive() }
        return false
      }
      #expect(await server.subscriptionCount() == 0)
    }
  }

  @Test func `the body of an event stream is read elsewhere`() async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 10) { server, pool, gate in
      let body = #"{"query":"{ me }"\#(Self.padding)}"#
      let stream = try await EventStreamTests.Stream(
        server.port,
        "POST /graphql HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n"
          + "Authorization: Bearer ada\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      )
      try await waitUntilQueued(pool, server)
      gate.signal()
      #expect(try await stream.head().first == "HTTP/1.1 200 OK")
      #expect(try await stream.chunk() == ":\n\n")
      #expect(try await stream.chunk() == "event: next\ndata: {\"data\":{\"me\":\"ada\"}}\n\n")
    }
  }

  @Test func `a large malformed body of an event stream is rejected by its status`() async throws {
    try await NewsServer.runWithBusyWorker(queueLimit: 10) { server, _, gate in
      gate.signal()
      let body = "[\(String(repeating: " ", count: LargeRequest.bytes))]"
      let stream = try await EventStreamTests.Stream(
        server.port,
        "POST /graphql HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n"
          + "Authorization: Bearer ada\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      )
      #expect(try await stream.head().first == "HTTP/1.1 400 Bad Request")
    }
  }
}
