/// The limits on what a client can send. Beyond them, the connection is closed with 1009.
package struct WebSocketLimits: Sendable, Equatable {
  /// Bytes of a message in all of its frames, and thus of any frame.
  package var messageBytes: Int

  package init(messageBytes: Int = 1 << 20) { self.messageBytes = max(125, messageBytes) }
}
