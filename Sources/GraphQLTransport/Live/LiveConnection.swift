import EventLoop

/// A connection of a session: a WebSocket or an event stream.
protocol LiveConnection: LoopActor {
  /// Ends the connection: no further data may be sent for the session.
  func sessionDidChange(_ change: SessionChange)
}

/// An open connection of a session, which says for whom it is counted.
struct OpenConnection {
  let connection: any LiveConnection
  let session: SessionIdentity
}

// Call this on the loop's thread, which is the actor's isolation.
extension LiveConnection {
  nonisolated func notify(of change: SessionChange) { assumeOnLoop { $0.sessionDidChange(change) } }
}
