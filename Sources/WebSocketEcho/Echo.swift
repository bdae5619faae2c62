import EventLoop
import HTTP
import HTTPServer
import WebSocket

/// Sends every message back unchanged.
actor Echo: WebSocketDelegate {
  nonisolated let loop: EventLoop
  nonisolated let unownedExecutor: UnownedSerialExecutor
  private var connection: WebSocketConnection?

  init(on loop: EventLoop) {
    self.loop = loop
    unownedExecutor = loop.asUnownedSerialExecutor()
  }

  func webSocketDidOpen(_ connection: WebSocketConnection) { self.connection = connection }

  func webSocketDidReceive(text: [UInt8]) { connection?.assumeOnLoop { $0.send(text: text) } }

  func webSocketDidReceive(binary: [UInt8]) { connection?.assumeOnLoop { $0.send(binary: binary) } }

  func webSocketShouldGoAway() {
    connection?.assumeOnLoop { $0.close(CloseReason(.goingAway, text: "The server is shutting down.")) }
  }

  func webSocketDidClose() { connection = nil }
}

/// Accepts every WebSocket handshake.
actor EchoHandler: HTTPHandler {
  nonisolated let loop: EventLoop
  nonisolated let unownedExecutor: UnownedSerialExecutor

  init(on loop: EventLoop) {
    self.loop = loop
    unownedExecutor = loop.asUnownedSerialExecutor()
  }

  func answer(_ request: HTTPRequest) -> HTTPAnswer {
    do throws(WebSocketHandshake.Rejection) {
      return .webSocket(try WebSocketHandshake(request, subprotocols: []), Echo(on: loop))
    } catch {
      return .response(HTTPResponse(rejecting: error))
    }
  }
}
