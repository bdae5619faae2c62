import HTTP
import WebSocket

/// The limits of a server on memory, time and connections.
package struct HTTPServerOptions: Sendable, Equatable {
  package var limits = HTTPLimits()
  package var timeouts = HTTPTimeouts()
  /// The maximum number of open connections. Beyond it, a new one gets status 503 and is closed. From nine tenths of it
  /// on, the longest idle connections are closed for new ones. It is lower if the process may have fewer open files.
  package var maximumConnections = 50_000
  /// Descriptors that each loop may open beside those of its connections, as for a database. They are kept free.
  package var descriptorsPerLoop = 8
  /// Unsent response bytes of a connection. Beyond it, its further requests wait (backpressure).
  package var unsentBytes = 64 * 1024
  /// The backlog of connections that wait to be accepted. The system has a limit of its own.
  package var backlog = 1024
  /// Limits on buffered bytes of requests. Beyond them, the growing request gets status 503, or 429 if a share is used
  /// up.
  package var receivedBytes = ByteLimits()
  /// Unsent bytes of all large responses, those with more than `unsentBytes` unsent. Beyond the total, a further large
  /// response is replaced with status 503; beyond the share of a network, with 429. A WebSocket or streamed response
  /// that exceeds a limit with more than `liveUnsentBytes` unsent is closed.
  package var unsentResponses = ByteLimits()
  /// How long the server waits, after the last response on a connection, for the client to close it. Received bytes are
  /// dropped until then. Closing the connection earlier would send a reset, which can destroy the response on its way
  /// (RFC 9112, section 9.6).
  package var linger = Duration.seconds(2)
  /// The number of bytes that the client can send meanwhile before it is disconnected. They are dropped.
  /// Many clients, such as those of Node, read the response only when they have sent their request: a lower limit would
  /// hide the reason from those who send too much by mistake.
  package var lingerBytes = 1 << 30

  package var webSocketLimits = WebSocketLimits()
  /// The limit on a WebSocket message before its delegate has identified the client
  /// (`WebSocketConnection.raiseLimits`), if it is lower.
  package var unidentifiedMessageBytes = Int.max
  /// The idle time after which the client of a WebSocket is pinged.
  package var pingInterval = Duration.seconds(30)
  /// The time within which the client must respond to the ping.
  package var pongTimeout = Duration.seconds(20)
  /// The idle time after which a streamed response sends its heartbeat.
  package var heartbeatInterval = Duration.seconds(15)
  /// Unsent bytes from which the client of a WebSocket or a streamed response is a slow consumer: its own requests
  /// wait, and it is sent no further events.
  package var liveUnsentBytes = 256 * 1024

  package init() {}
}
