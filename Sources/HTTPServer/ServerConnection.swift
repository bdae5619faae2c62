import EventLoop

/// A connection of a server loop, whatever its protocol.
protocol ServerConnection: LoopActor {
  /// Called when the server shuts down: the connection closes as soon as it can.
  func drain()
  /// Closes the connection immediately.
  func close()
}
