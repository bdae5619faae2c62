import Dispatch
import EventLoop
import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite("Timeouts", .timeLimit(.minutes(20)))
struct TimeoutTests {
  static let quick = Duration.milliseconds(60)

  static func options(_ change: (inout HTTPTimeouts) -> Void) -> HTTPServerOptions {
    var options = HTTPServerOptions()
    change(&options.timeouts)
    return options
  }

  @Test func `a head that trickles in is cut off, however steadily it does`() async throws {
    var options = Self.options { $0.head = Self.quick }
    options.limits.headerBytes = 1 << 28
    let server = try await TestServer(options: options)
    let client = try server.connect()
    // Sent until the server has closed, each byte in time but the whole not.
    let sender = TestThread {
      try client.send("GET / HTTP/1.1\r\nHost: a\r\nX: ")
      while true { try client.send("y") }
    }
    #expect(try client.answer().status == 408)
    #expect(try client.receiveAll().isEmpty)
    await #expect(throws: TestSocket.Failure.self) { try await sender.value }
    await server.stop()
  }

  @Test func `a body that does not come is cut off`() async throws {
    let server = try await TestServer(options: Self.options { $0.body = Self.quick })
    let client = try server.connect()
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel")
    let answer = try client.answer()
    #expect(answer.status == 408)
    #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
    // The client was too slow: a pause does not help.
    #expect(answer.headers["retry-after"] == nil)
    #expect(try client.receiveAll().isEmpty)
    await server.stop()
  }

  @Test func `a connection without a request is closed silently`() async throws {
    let server = try await TestServer(options: Self.options { $0.idle = Self.quick })
    let silent = try server.connect()
    #expect(try silent.receiveAll().isEmpty)
    // The loop accepts the connection when its request has arrived, however slow the machine is.
    let (isHeld, mayContinue) = (Gate(), DispatchSemaphore(value: 0))
    let holding = Task { [loop = server.group.loops[0]] in
      try await loop.run {
        isHeld.open()
        mayContinue.wait()
      }
    }
    await isHeld.pass()
    let served: TestSocket
    do {
      defer { mayContinue.signal() }
      served = try server.connect()
      try served.get("/")
    }
    try await holding.value
    #expect(try served.answer().status == 200)
    #expect(try served.receiveAll().isEmpty)
    await server.stop()
  }

  @Test func `a handler may take longer than clients may`() async throws {
    let isIdleOver = Gate()
    let server = try await TestServer(
      options: Self.options {
        $0.idle = Self.quick
        $0.head = Self.quick
      }
    ) { _ in
      await isIdleOver.pass()
      return text("at last")
    }
    let client = try server.connect()
    try client.get("/")
    // A connection made later than the request has been idle for too long: so the request's time would be over too.
    #expect(try server.connect().receiveAll().isEmpty)
    isIdleOver.open()
    #expect(try client.answer().body == "at last")
    await server.stop()
  }

  @Test func `a client that reads nothing of its response is disconnected`() async throws {
    let asked = Counter()
    let server = try await TestServer(options: Self.options { $0.write = Self.quick }) { _ in
      asked.increment()
      return text(String(repeating: "x", count: 30_000_000))
    }
    let client = try server.connect(receiveBuffer: 4096)
    try client.get("/")
    await asked.wait(for: 1)
    // Would wait an hour for the response to be read.
    await server.server.shutdown(deadline: .seconds(3600))
    #expect(throws: TestSocket.Failure.self) { try client.receive(30_000_000) }
    await server.stop()
  }
}
