import EventLoop
import Foundation
import HTTP
import HTTPServer
import TestSupport
import Testing
import WebSocket

/// WebSockets over real connections. The codec has tests of its own.
@Suite("WebSockets")
struct WebSocketTests {
  /// An echo server that only notes when it should go away.
  actor Echo: WebSocketDelegate {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let closed: Counter
    private var connection: WebSocketConnection?

    init(on loop: EventLoop, _ closed: Counter) {
      self.loop = loop
      self.closed = closed
    }

    func webSocketDidOpen(_ connection: WebSocketConnection) { self.connection = connection }
    func webSocketDidReceive(text: [UInt8]) { connection?.assumeIsolated { $0.send(text: text) } }
    func webSocketDidReceive(binary: [UInt8]) { connection?.assumeIsolated { $0.send(binary: binary) } }
    func webSocketShouldGoAway() { connection?.assumeIsolated { $0.close(CloseReason(.goingAway, text: "Bye")) } }
    func webSocketDidClose() {
      connection = nil
      closed.increment()
    }
  }

  actor Handler: HTTPHandler {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let closed: Counter

    init(on loop: EventLoop, _ closed: Counter) {
      self.loop = loop
      self.closed = closed
    }

    func answer(_ request: HTTPRequest) -> HTTPAnswer {
      guard WebSocketHandshake.isAskedFor(by: request) else { return .response(text("HTTP")) }
      do throws(WebSocketHandshake.Rejection) {
        return .webSocket(try WebSocketHandshake(request, subprotocols: []), Echo(on: loop, closed))
      } catch {
        return .response(HTTPResponse(rejecting: error))
      }
    }
  }

  private struct Server {
    let port: Int
    let closed = Counter()
    let server: HTTPServer<Handler>
    private let group: EventLoopGroup

    init(_ options: HTTPServerOptions = HTTPServerOptions()) async throws {
      group = try EventLoopGroup(count: 2)
      let closed = closed
      server = HTTPServer(group: group, host: "127.0.0.1", port: 0, options: options) { Handler(on: $0, closed) }
      port = try await server.start()
    }

    func connect() throws -> TestWebSocket { try TestWebSocket(port: port, subprotocol: nil) }

    func stop() async {
      await server.shutdown(deadline: .zero)
      group.stop()
    }
  }

  @Test func `messages go both ways, and the client's close is answered before the connection ends`() async throws {
    let server = try await Server()
    let socket = try server.connect()
    try socket.send("hello")
    #expect(try socket.receive() == .text("hello"))
    try socket.send(0x2, [1, 2, 3])
    #expect(try socket.receive() == .binary([1, 2, 3]))
    try socket.send(0x9, [7])
    #expect(try socket.receive() == .pong([7]))
    try socket.close(4321)
    #expect(try socket.receive() == .close(4321, ""))
    #expect(try socket.receive() == .end)
    await server.closed.wait(for: 1)
    await server.stop()
  }

  @Test func `what follows the handshake at once is read`() async throws {
    let server = try await Server()
    let socket = try TestSocket(port: server.port)
    try socket.send(
      Array(
        ("GET / HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").utf8
      ) + TestWebSocket.frame(1, Array("early".utf8))
    )
    var received: [UInt8] = []
    while !received.suffix(7).elementsEqual([0x81, 5] + Array("early".utf8)) { received += try socket.receive(1) }
    #expect(String(decoding: received.prefix(12), as: UTF8.self) == "HTTP/1.1 101")
    await server.stop()
  }

  @Test func `a request on the connection before is answered first`() async throws {
    let server = try await Server()
    let socket = try TestSocket(port: server.port)
    try socket.get("/")
    #expect(try socket.answer().body == "HTTP")
    try socket.get("/", "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 8\r\n")
    let rejected = try socket.answer()
    #expect(rejected.status == 426 && rejected.headers["sec-websocket-version"] == "13")
    #expect(rejected.headers["upgrade"] == "websocket" && rejected.headers["connection"] == "Upgrade")
    try socket.get(
      "/",
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    )
    #expect(String(decoding: try socket.receive(12), as: UTF8.self) == "HTTP/1.1 101")
    await server.stop()
  }

  @Test func `protocol errors are answered with a reason, and the connection is closed`() async throws {
    var options = HTTPServerOptions()
    options.webSocketLimits = WebSocketLimits(messageBytes: 1000)
    let server = try await Server(options)
    let cases: [([UInt8], UInt16)] = [
      ([0x83, 0x80, 0, 0, 0, 0], 1002), ([0x81, 1, 0x41], 1002), (TestWebSocket.frame(1, [0xFF]), 1007),
      (TestWebSocket.frame(2, Array(repeating: 0, count: 1001)), 1009), (TestWebSocket.frame(8, [0, 0]), 1002),
    ]
    for (bytes, code) in cases {
      let socket = try server.connect()
      try socket.socket.send(bytes)
      guard case .close(code, let reason) = try socket.receive() else { return #expect(Bool(false), "\(code)") }
      if code == 1009 { #expect(reason == "A message can have at most 1000 bytes.") }
      #expect(try socket.receive() == .end)
    }
    await server.closed.wait(for: cases.count)
    await server.stop()
  }

  @Test func `a shutdown says goodbye, and waits for the client to say it too`() async throws {
    let server = try await Server()
    let socket = try server.connect()
    try socket.send("hello")
    #expect(try socket.receive() == .text("hello"))
    async let shutdown: Void = server.server.shutdown(deadline: .seconds(60))
    #expect(try await TestThread { try socket.receive() }.value == .close(1001, "Bye"))
    try socket.close(1001)
    #expect(try await TestThread { try socket.receive() }.value == .end)
    socket.socket.close()
    await shutdown
    await server.stop()
  }

  @Test func `past the memory for unsent bytes the WebSocket of a slow consumer is closed`() async throws {
    // More than the kernel buffers.
    let message = [UInt8](repeating: 0x78, count: 12_000_000)
    var options = HTTPServerOptions()
    options.webSocketLimits = WebSocketLimits(messageBytes: message.count)
    options.unsentResponses.total = 18_000_000
    let server = try await Server(options)
    let sockets = try (0..<2).map { _ in
      try TestWebSocket(port: server.port, subprotocol: nil, receiveBuffer: 4096)
    }
    try sockets[0].send(0x2, message)
    #expect(try await TestThread { try sockets[0].socket.receive(10) }.value.count == 10)
    // The first message has been sent in part, and its rest is charged.
    try sockets[1].send(0x2, message)
    await server.closed.wait(for: 1)
    let rest = try await TestThread { try sockets[0].socket.receive(message.count) }.value
    #expect(rest.count == message.count)
    try sockets[0].send("more")
    #expect(try await TestThread { try sockets[0].receive() }.value == .text("more"))
    await server.stop()
  }

  @Test func `a client that reads a long message slowly is not asked for signs of life meanwhile`() async throws {
    let message = [UInt8](repeating: 0x78, count: 12_000_000)
    var options = HTTPServerOptions()
    options.webSocketLimits = WebSocketLimits(messageBytes: message.count)
    options.pingInterval = .milliseconds(200)
    options.pongTimeout = .milliseconds(200)
    let server = try await Server(options)
    let frame = TestWebSocket.frame(0x2, message)
    let slow = try TestWebSocket(port: server.port, subprotocol: nil, receiveBuffer: 4096)
    try await TestThread { try slow.socket.send(frame) }.value
    let head = try await TestThread { try slow.socket.receive(10) }.value
    // An idle client that begins now, and does not answer, is closed: so much time has passed.
    let idle = try server.connect()
    await server.closed.wait(for: 1)
    let rest = try await TestThread { try slow.socket.receive(message.count) }.value
    #expect(head.count + rest.count == message.count + 10)
    idle.socket.close()
    await server.stop()
  }

  @Test func `a client that vanishes silently is noticed`() async throws {
    let server = try await Server()
    for number in 1...20 {
      let socket = try server.connect()
      if number % 2 == 0 { try socket.socket.send([0x81, 0xFE, 0x10]) }
      if number % 3 == 0 { socket.socket.reset() } else { socket.socket.close() }
    }
    await server.closed.wait(for: 20)
    await server.stop()
  }

  @Test(.enabled(if: PythonScript.has("websockets")))
  func `the echo program serves the clients of others`() async throws {
    let process = try ChildProcess([try ChildProcess.besideTests("websocket-echo"), "--port", "0"])
    let line = try #require(try await TestThread { process.readLine() }.value)
    let port = try #require(line.wholeMatch(of: /listening on 127\.0\.0\.1:(\d+)/)?.1, "\(line)")
    #expect(try await PythonScript.run("Live/echo_client.py", String(port)) == .ok)
    process.signal(SIGTERM)
    #expect(try await TestThread { process.wait() }.value == .exited(0))
  }
}
