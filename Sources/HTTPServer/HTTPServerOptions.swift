import HTTP
import WebSocket

/// What bounds a server's use of memory, time and connections.
package struct HTTPServerOptions: Sendable, Equatable {
  package var limits = HTTPLimits()
  package var timeouts = HTTPTimeouts()
  /// Connections open at a time. Past it a new one is answered 503 and closed.
  package var maximumConnections = 50_000
  /// Bytes of answers that a client has not taken yet. Past it its further requests wait.
  package var unsentBytes = 64 * 1024
  /// Connections that may wait to be accepted; the system has a limit of its own.
  package var backlog = 1024
  /// Bytes of requests that are held at a time. Past a limit the request that grows is answered 503, or 429 where it is
  /// a share that is used up.
  package var receivedBytes = ByteLimits()
  /// Bytes of all responses together of which clients have not taken more than `unsentBytes` yet. Past the total a
  /// further response of that size is 503, past a network's share 429. A WebSocket or streamed response with more than
  /// `liveUnsentBytes` unsent is closed.
  package var unsentResponses = ByteLimits()
  /// How long a client may take, after the last answer on a connection, to end it from its side. Until then what it
  /// sends is dropped: were the connection closed under it, the reset could take the answer from it (RFC 9112, 9.6).
  package var linger = Duration.seconds(2)
  /// The same for a client that goes on sending: most clients read the response only when they have sent their request,
  /// or find that they cannot.
  package var longestLinger = Duration.seconds(30)

  package var webSocketLimits = WebSocketLimits()
  /// Bytes of a WebSocket's message before its delegate knows the client (`WebSocketConnection.raiseLimits`), where
  /// that is less.
  package var unidentifiedMessageBytes = Int.max
  /// After so long without a word from a WebSocket's client it is pinged.
  package var pingInterval = Duration.seconds(30)
  /// How long it may then take to show that it is still there.
  package var pongTimeout = Duration.seconds(20)
  /// After so long without anything to send a streamed response sends its heartbeat.
  package var heartbeatInterval = Duration.seconds(15)
  /// Bytes that the client of a WebSocket or of a streamed response has not taken yet. Past it it is behind: its own
  /// requests wait, and it is sent nothing more that it did not ask for.
  package var liveUnsentBytes = 256 * 1024

  package init() {}
}
