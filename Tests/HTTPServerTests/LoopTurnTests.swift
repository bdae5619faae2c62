import Bytes
import EventLoop
import Foundation
import HTTP
import HTTPServer
import Synchronization
import TestSupport
import Testing
import WebSocket

/// What one client may do within a turn of its event loop.
@Suite("Turns of the event loop")
struct LoopTurnTests {
  /// What the delegates of a server have received, and when the first may go on.
  final class Record: Sendable {
    let texts = Mutex<[String]>([])
    let mayContinue = DispatchSemaphore(value: 0)
  }

  /// Makes the turn long with each message "busy", and responds to others with a long message.
  actor BusyDelegate: WebSocketDelegate {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let record: Record
    private var connection: WebSocketConnection?

    init(on loop: EventLoop, _ record: Record) {
      self.loop = loop
      self.record = record
    }

    func webSocketDidOpen(_ connection: WebSocketConnection) { self.connection = connection }
    func webSocketDidReceive(text: [UInt8]) {
      let text = String(decoding: text, as: UTF8.self)
      record.texts.withLock { $0.append(text) }
      switch text {
      case "wait": record.mayContinue.wait()
      case "busy": while !loop.hasLongTurn {}
      default: connection?.assumeIsolated { $0.send(text: long(text), after: Array("<".utf8), before: ">") }
      }
    }
    func webSocketDidReceive(binary: [UInt8]) {}
    func webSocketShouldGoAway() {}
    func webSocketDidClose() { connection = nil }
  }

  /// Responds with a long body in two parts.
  actor LongWriter: ResponseStreamWriter {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    let heartbeat: [UInt8] = []

    init(on loop: EventLoop) { self.loop = loop }

    func responseDidBegin(_ stream: ResponseStream) {
      stream.assumeIsolated { stream in
        for text in ["a", "b"] { stream.send(long(text), after: Array("<".utf8), before: Array(">".utf8)) }
        stream.end()
      }
    }
    func responseDidDrain() {}
    func responseShouldEnd() {}
    func responseDidEnd() {}
  }

  actor Handler: HTTPHandler {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let record: Record

    init(on loop: EventLoop, _ record: Record) {
      self.loop = loop
      self.record = record
    }

    func answer(_ request: HTTPRequest) -> HTTPAnswer {
      do throws(WebSocketHandshake.Rejection) {
        return .webSocket(try WebSocketHandshake(request, subprotocols: []), BusyDelegate(on: loop, record))
      } catch {
        return .stream(HeaderBlock(), LongWriter(on: loop))
      }
    }
  }

  private struct Server {
    let port: Int
    let record = Record()
    private let server: HTTPServer<Handler>
    private let group: EventLoopGroup

    init() async throws {
      group = try EventLoopGroup(count: 1)
      let record = record
      server = HTTPServer(group: group, host: "127.0.0.1", port: 0) { Handler(on: $0, record) }
      port = try await server.start()
    }

    func stop() async {
      await server.shutdown(deadline: .zero)
      group.stop()
    }
  }

  @Test func `many messages of one WebSocket do not delay the others of the loop`() async throws {
    let server = try await Server()
    let greedy = try TestWebSocket(port: server.port, subprotocol: nil)
    let other = try TestWebSocket(port: server.port, subprotocol: nil)
    let count = 40
    let texts = ["wait"] + Array(repeating: "busy", count: count) + ["last"]
    try greedy.socket.send(texts.flatMap { TestWebSocket.frame(0x1, Array($0.utf8)) })
    // It has arrived when the loop reads again.
    try other.send("other")
    server.record.mayContinue.signal()
    #expect(try await TestThread { try other.receive() }.value == .text("<\(shown("other"))>"))
    #expect(try await TestThread { try greedy.receive() }.value == .text("<\(shown("last"))>"))
    let received = server.record.texts.withLock { $0 }
    #expect(received.filter { $0 != "other" } == texts)
    #expect((received.firstIndex(of: "other") ?? count) < count / 2)
    await server.stop()
  }

  @Test(arguments: [nil, 4096])
  func `long messages and bodies arrive complete, also at a client that reads slowly`(buffer: Int32?) async throws {
    let server = try await Server()
    let socket = try TestWebSocket(port: server.port, subprotocol: nil, receiveBuffer: buffer)
    let messages = ["a", "b", "c"]
    try socket.socket.send(messages.flatMap { TestWebSocket.frame(0x1, Array($0.utf8)) })
    for text in messages {
      let isEqual = try await TestThread { try socket.receive() == .text("<\(shown(text))>") }.value
      #expect(isEqual, "\(text)")
    }
    let reader = try TestSocket(port: server.port, receiveBuffer: buffer)
    try reader.get("/")
    let response = String(decoding: try await TestThread { try reader.receiveAll() }.value, as: UTF8.self)
    let chunk = { (text: String) in
      "\(String(shown(text).utf8.count + 2, radix: 16))\r\n<\(shown(text))>\r\n"
    }
    #expect(response.hasSuffix("\r\n\r\n\(chunk("a"))\(chunk("b"))0\r\n\r\n"))
    await server.stop()
  }
}

/// More than a stream copies, and than it writes in a turn.
private func shown(_ text: String) -> String { String(repeating: text, count: 300_000 / text.utf8.count) }

private func long(_ text: String) -> ByteBuffer {
  var bytes = ByteBuffer()
  bytes.append(shown(text))
  return bytes
}
