/// The owner of a WebSocket: an actor on the connection's loop, told on the loop's thread, within its isolation.
package protocol WebSocketDelegate: Actor {
  /// The client has been answered: from now on messages come and may be sent.
  func webSocketDidOpen(_ connection: WebSocketConnection)
  func webSocketDidReceive(text: [UInt8])
  func webSocketDidReceive(binary: [UInt8])
  /// The client has taken everything, after it had been behind.
  func webSocketDidDrain()
  /// The server is shutting down. The owner closes the connection, at once or when it has done what it is at.
  func webSocketShouldGoAway()
  /// Nothing can be sent any more, for whichever reason. Said once, and the last that is said.
  func webSocketDidClose()
}

extension WebSocketDelegate {
  package func webSocketDidDrain() {}
}

// How a connection calls its owner: from the loop's thread, which is the actor's isolation.
extension WebSocketDelegate {
  nonisolated func didOpen(_ connection: WebSocketConnection) { assumeIsolated { $0.webSocketDidOpen(connection) } }
  nonisolated func didReceive(text: [UInt8]) { assumeIsolated { $0.webSocketDidReceive(text: text) } }
  nonisolated func didReceive(binary: [UInt8]) { assumeIsolated { $0.webSocketDidReceive(binary: binary) } }
  nonisolated func didDrain() { assumeIsolated { $0.webSocketDidDrain() } }
  nonisolated func shouldGoAway() { assumeIsolated { $0.webSocketShouldGoAway() } }
  nonisolated func webSocketHasClosed() { assumeIsolated { $0.webSocketDidClose() } }
}
