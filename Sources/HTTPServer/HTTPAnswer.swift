import HTTP
import WebSocket

/// What becomes of a request for which nothing has to be waited for.
package enum HTTPAnswer: ~Copyable {
  case response(HTTPResponse)
  /// A body that grows for as long as its writer wants: see `ResponseStream`.
  case stream(HeaderBlock, any ResponseStreamWriter)
  /// The connection stops being HTTP: see `WebSocketConnection`.
  case webSocket(WebSocketHandshake, any WebSocketDelegate)
}
