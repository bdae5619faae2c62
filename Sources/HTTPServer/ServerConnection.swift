/// A connection of a server's loop, whatever it speaks at the moment.
protocol ServerConnection: Actor {
  /// The server is shutting down: the connection ends by itself as soon as it can.
  func drain()
  /// It has had its time.
  func close()
}
