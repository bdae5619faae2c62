/// How much a client may send before it is refused (close code 1009).
package struct WebSocketLimits: Sendable, Equatable {
  /// Bytes of one message, all of its frames together, and so of any one frame.
  package var messageBytes: Int

  package init(messageBytes: Int = 1 << 20) { self.messageBytes = max(125, messageBytes) }
}
