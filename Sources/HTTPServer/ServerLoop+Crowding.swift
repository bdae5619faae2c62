import EventLoop

/// Makes room for new connections when the server has almost as many as it may: a client that opens thousands and
/// leaves them idle has the longest idle ones.
extension ServerLoop {
  /// An idle connection, by its stream.
  struct IdleConnection {
    let stream: ObjectIdentifier
    /// See `ServerConnection.idleDeadline`.
    let deadline: UInt64
  }

  /// More than one, so that the number of connections falls.
  private static var closedForEach: Int { 2 }
  /// The time between two searches when few connections are idle, in milliseconds.
  private static var searchInterval: UInt64 { 1000 }

  /// Closes the longest idle connections for one that is accepted.
  func closeLongestIdle() {
    if longestIdle.isEmpty { findLongestIdle() }
    var closed = 0
    while closed < Self.closedForEach, let next = longestIdle.popLast() {
      if let connection = connections[next.stream], Self.closeIfIdle(connection, since: next) { closed += 1 }
    }
  }

  /// Finds an eighth of the connections at once, because finding a single one takes as long.
  private func findLongestIdle() {
    guard loop.now >= nextIdleSearch else { return }
    var idle: [IdleConnection] = []
    for (stream, connection) in connections {
      if let deadline = Self.idleDeadline(of: connection) {
        idle.append(IdleConnection(stream: stream, deadline: deadline))
      }
    }
    idle.sort { $0.deadline > $1.deadline }
    let wanted = max(connections.count / 8, 1)
    longestIdle = idle.suffix(wanted)
    if longestIdle.count < wanted { nextIdleSearch = loop.now + Self.searchInterval }
  }

  private static func idleDeadline(of connection: some ServerConnection) -> UInt64? {
    connection.assumeOnLoop { $0.idleDeadline }
  }

  /// Closes a connection that has had no request since it was found. Returns whether it had none.
  private static func closeIfIdle(_ connection: some ServerConnection, since found: IdleConnection) -> Bool {
    connection.assumeOnLoop { connection in
      guard connection.idleDeadline == found.deadline else { return false }
      connection.close()
      return true
    }
  }
}
