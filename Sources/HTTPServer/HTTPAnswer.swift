import HTTP
import WebSocket

/// How the server responds to a request.
package enum HTTPAnswer: ~Copyable, Sendable {
  case response(HTTPResponse)
  /// A streamed response, which its writer appends to: see `ResponseStream`.
  case stream(HeaderBlock, any ResponseStreamWriter)
  /// An upgrade to a WebSocket: see `WebSocketConnection`.
  case webSocket(WebSocketHandshake, any WebSocketDelegate)
  /// A response that requires waiting. The connection's task calls the closure with the request, and is cancelled when
  /// the client disconnects. If the connection closes before the call, the closure is released without being called.
  ///
  /// The closure holds a response of `holding` bytes already, which count as unsent from now on: those that wait for a
  /// worker thread take as much memory as those that wait for their clients.
  case deferred(holding: Int = 0, @Sendable (HTTPRequest) async -> HTTPAnswer)
}
