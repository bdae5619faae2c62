import Bytes
import EventLoop
import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite("Answering", .timeLimit(.minutes(20)))
struct AnsweringTests {
  @Test func `a connection serves one request after another, with the date`() async throws {
    let server = try await TestServer()
    let client = try server.connect()
    for path in ["/a", "/b"] {
      try client.get(path)
      let answer = try client.answer()
      #expect(answer.status == 200)
      #expect(answer.body == path)
      #expect(answer.headers["date"]?.hasSuffix(" GMT") == true)
      #expect(answer.headers["connection"] == nil)
    }
    await server.stop()
  }

  @Test(arguments: ["GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"])
  func `a client that requests it gets the connection closed after its response`(request: String) async throws {
    let server = try await TestServer()
    let client = try server.connect()
    try client.send(request)
    #expect(try client.answer().headers["connection"] == "close")
    #expect(try client.receiveAll().isEmpty)
    await server.stop()
  }

  @Test func `HEAD is answered without the body`() async throws {
    let server = try await TestServer()
    let client = try server.connect()
    try client.send("HEAD /abc HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try client.answer(toHead: true).headers["content-length"] == "4")
    try client.get("/next")
    #expect(try client.answer().body == "/next")
    await server.stop()
  }

  @Test func `pipelined requests are answered in their order though the first is slow`() async throws {
    let gate = Gate()
    let asked = Counter()
    let server = try await TestServer { request in
      asked.increment()
      if request.targetText == "/slow" { await gate.pass() }
      return text(request.targetText)
    }
    let client = try server.connect()
    try client.get("/slow")
    for number in 0..<20 { try client.get("/\(number)") }
    await asked.wait(for: 1)
    // Another client is not kept waiting.
    let other = try server.connect()
    try other.get("/other")
    #expect(try other.answer().body == "/other")
    #expect(asked.count == 2)
    gate.open()
    #expect(try client.answer().body == "/slow")
    for number in 0..<20 { #expect(try client.answer().body == "/\(number)") }
    await server.stop()
  }

  @Test func `more pipelined requests than the server reads ahead are all answered`() async throws {
    let gate = Gate()
    let server = try await TestServer { request in
      await gate.pass()
      return text(request.targetText)
    }
    let client = try server.connect()
    let count = 20_000
    let sender = TestThread {
      try client.send((0..<count).map { "GET /\($0) HTTP/1.1\r\nHost: test\r\n\r\n" }.joined())
      client.sendEnd()
    }
    gate.open()
    let received = String(decoding: try client.receiveAll(), as: UTF8.self)
    try await sender.value
    let bodies = received.split(separator: "\r\n").filter { $0.hasPrefix("/") }.map { $0.split(separator: "H")[0] }
    #expect(bodies.elementsEqual((0..<count).map { "/\($0)" }, by: { $0 == $1 }))
    await server.stop()
  }

  @Test func `a request may come byte by byte`() async throws {
    let server = try await TestServer { text(String(decoding: $0.body, as: UTF8.self)) }
    let client = try server.connect()
    for byte in "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello".utf8 { try client.send([byte]) }
    #expect(try client.answer().body == "hello")
    await server.stop()
  }

  @Test func `a client that expects it gets 100 Continue`() async throws {
    let server = try await TestServer { text(String(decoding: $0.body, as: UTF8.self)) }
    let client = try server.connect()
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
    #expect(try client.answer().status == 100)
    try client.send("hello")
    #expect(try client.answer().body == "hello")
    await server.stop()
  }

  @Test func `a client that has half-closed the connection still gets its responses`() async throws {
    let gate = Gate()
    let server = try await TestServer { request in
      await gate.pass()
      return text(request.targetText)
    }
    let client = try server.connect()
    try client.get("/1")
    try client.get("/2")
    client.sendEnd()
    gate.open()
    #expect(try client.answer().body == "/1")
    #expect(try client.answer().body == "/2")
    #expect(try client.receiveAll().isEmpty)
    await server.stop()
  }

  @Test func `a large response arrives completely`() async throws {
    let server = try await TestServer { _ in
      var body = ByteBuffer()
      for number in 0..<2_000_000 { body.append(UInt8(truncatingIfNeeded: number % 251)) }
      return HTTPResponse(.ok, body: body)
    }
    let client = try server.connect(receiveBuffer: 4096)
    try client.get("/", "Connection: close\r\n")
    let received = try client.receiveAll()
    #expect(received.suffix(2_000_000).elementsEqual((0..<2_000_000).lazy.map { UInt8($0 % 251) }))
    await server.stop()
  }

  @Test func `the task of a disconnected client is cancelled`() async throws {
    let cancelled = Counter()
    let asked = Counter()
    let server = try await TestServer { _ in
      await withTaskCancellationHandler {
        asked.increment()
        await cancelled.wait(for: 1)
      } onCancel: {
        cancelled.increment()
      }
      return text("nobody reads this")
    }
    let client = try server.connect()
    try client.get("/")
    await asked.wait(for: 1)
    client.reset()
    await cancelled.wait(for: 1)
    await server.stop()
  }

  @Test func `a handler that has waited for another thread continues on its loop`() async throws {
    actor Waiting: HTTPHandler {
      nonisolated let loop: EventLoop
      nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
      let pool: WorkerPool
      init(on loop: EventLoop, _ pool: WorkerPool) {
        self.loop = loop
        self.pool = pool
      }
      func answer(_ request: HTTPRequest) -> HTTPAnswer {
        .deferred { [loop, pool] _ in
          let wasAway = try? await pool.run { !loop.isCurrent }
          return .response(text("\(wasAway == true) \(loop.isCurrent)"))
        }
      }
    }
    let pool = try WorkerPool(threads: 1, queueLimit: 10)
    let group = try EventLoopGroup(count: 1)
    let server = HTTPServer(group: group, host: "127.0.0.1", port: 0) { Waiting(on: $0, pool) }
    let client = try TestSocket(port: try await server.start())
    try client.get("/")
    #expect(try client.answer().body == "true true")
    await server.shutdown(deadline: .zero)
    group.stop()
    pool.stop()
  }

  @Test func `both loops serve at once`() async throws {
    let server = try await TestServer(loops: 2)
    let clients = try (0..<8).map { _ in try server.connect() }
    for round in 0..<10 {
      for client in clients { try client.get("/\(round)") }
      for client in clients { #expect(try client.answer().body == "/\(round)") }
    }
    await server.stop()
  }
}
