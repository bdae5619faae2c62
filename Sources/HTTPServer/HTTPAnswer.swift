import HTTP
import WebSocket

/// What becomes of a request.
package enum HTTPAnswer: ~Copyable, Sendable {
  case response(HTTPResponse)
  /// A body that grows for as long as its writer wants: see `ResponseStream`.
  case stream(HeaderBlock, any ResponseStreamWriter)
  /// The connection stops being HTTP: see `WebSocketConnection`.
  case webSocket(WebSocketHandshake, any WebSocketDelegate)
  /// Something has to be awaited: the closure goes on from there. The connection's task calls it, and is cancelled when
  /// the client has gone. A request whose connection is closed before that is dropped with the closure.
  case deferred(@Sendable () async -> HTTPAnswer)
}
