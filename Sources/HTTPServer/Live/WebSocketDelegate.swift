import EventLoop

/// The delegate of a WebSocket: an actor on the connection's loop, called on the loop's thread within its isolation.
package protocol WebSocketDelegate: LoopActor {
  /// Called after the handshake: messages can be received and sent from now on.
  func webSocketDidOpen(_ connection: WebSocketConnection)
  func webSocketDidReceive(text: [UInt8])
  func webSocketDidReceive(binary: [UInt8])
  /// Called when a slow consumer has read everything.
  func webSocketDidDrain()
  /// Called when the server shuts down. The delegate closes the connection, immediately or after its current work.
  func webSocketShouldGoAway()
  /// Called once, as the last call, when nothing can be sent any more.
  func webSocketDidClose()
}

extension WebSocketDelegate {
  package func webSocketDidDrain() {}
}

// Connections call their delegate on the loop's thread, which is the actor's isolation.
extension WebSocketDelegate {
  nonisolated func didOpen(_ connection: WebSocketConnection) { assumeOnLoop { $0.webSocketDidOpen(connection) } }
  nonisolated func didReceive(text: [UInt8]) { assumeOnLoop { $0.webSocketDidReceive(text: text) } }
  nonisolated func didReceive(binary: [UInt8]) { assumeOnLoop { $0.webSocketDidReceive(binary: binary) } }
  nonisolated func didDrain() { assumeOnLoop { $0.webSocketDidDrain() } }
  nonisolated func shouldGoAway() { assumeOnLoop { $0.webSocketShouldGoAway() } }
  nonisolated func webSocketHasClosed() { assumeOnLoop { $0.webSocketDidClose() } }
}
