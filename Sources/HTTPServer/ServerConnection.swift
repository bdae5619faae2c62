import EventLoop

/// A connection of a server loop, whatever its protocol.
protocol ServerConnection: LoopActor {
  /// Called when the server shuts down: the connection closes as soon as it can.
  func drain()
  /// Closes the connection immediately.
  func close()
  /// When the connection will be closed for being idle, in the loop's milliseconds; nil if it is in use.
  var idleDeadline: UInt64? { get }
}

extension ServerConnection {
  var idleDeadline: UInt64? { nil }
}
