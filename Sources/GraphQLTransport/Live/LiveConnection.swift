/// A connection that stands for a session for as long as it is open.
protocol LiveConnection: Actor {
  /// Nothing more is to be told in the name of the session.
  func sessionDidChange(_ change: SessionChange)
}

/// One that is open, and whom it is counted for (`Standing.person`).
struct OpenConnection {
  let connection: any LiveConnection
  let person: Int64?
}

// From the loop's thread, which is the actor's isolation.
extension LiveConnection {
  nonisolated func tell(of change: SessionChange) { assumeIsolated { $0.sessionDidChange(change) } }
}
