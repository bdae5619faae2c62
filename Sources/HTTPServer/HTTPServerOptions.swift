import HTTP

/// What bounds a server's use of memory, time and connections.
package struct HTTPServerOptions: Sendable, Equatable {
  package var limits = HTTPLimits()
  package var timeouts = HTTPTimeouts()
  /// Connections open at a time. Past it a new one is answered 503 and closed.
  package var maximumConnections = 50_000
  /// Bytes of answers that a client has not taken yet. Past it its further requests wait.
  package var unsentBytes = 1024 * 1024
  /// Connections that may wait to be accepted; the system has a limit of its own.
  package var backlog = 1024
  /// Bytes of all admitted bodies together (`HTTPLimits.formBytes`), from their admission to their answer. Past it a further
  /// one is answered 503.
  package var admittedBytes = 256 * 1024 * 1024
  /// Bytes of all long answers together, those of more than `unsentBytes`, that clients have not taken yet. Past it a further
  /// one is answered 503 in its place.
  package var longAnswerBytes = 512 * 1024 * 1024
  /// How long a client may take, after the last answer on a connection, to end it from its side. Until then what it
  /// sends is dropped: were the connection closed under it, the reset could take the answer from it (RFC 9112, 9.6).
  package var linger = Duration.seconds(2)

  package init() {}
}
