/// A connection that stands for a session for as long as it is open.
protocol LiveConnection: Actor {
  /// The session has ended, or its member has other rights now.
  func sessionDidEnd()
}

/// One that is open, and whom it is counted for (`Standing.person`).
struct OpenConnection {
  let connection: any LiveConnection
  let person: Int64?
}

// From the loop's thread, which is the actor's isolation.
extension LiveConnection {
  nonisolated func tellOfSessionsEnd() { assumeIsolated { $0.sessionDidEnd() } }
}
