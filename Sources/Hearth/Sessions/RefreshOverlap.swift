import Synchronization

/// What was given for refresh tokens to requests that ran at the same time, so that two tabs of an app which use the
/// same one at once both get the next.
///
/// Two requests overlap where the second had begun before the first's answer was committed. That is told by numbers
/// drawn from one counter at both moments and not by clocks, so no token works again because somebody was quick. What
/// was given is kept in memory, and only while a request runs to which it could be given again.
final class RefreshOverlap: Sendable {
  /// When a request began.
  struct Ticket: Hashable {
    fileprivate let number: UInt64
  }

  private struct Rotation {
    let usedHash: [UInt8]
    let next: String
    let by: Ticket
    /// When it was committed; nil before.
    var committed: UInt64?
  }

  private struct State {
    var last: UInt64 = 0
    var running: Set<Ticket> = []
    var rotations: [GlobalID: Rotation] = [:]

    mutating func draw() -> UInt64 {
      last += 1
      return last
    }
  }

  private let state = Mutex(State())

  /// Requests that refresh at this moment.
  var runningCount: Int { state.withLock { $0.running.count } }
  /// What is kept for them.
  var keptCount: Int { state.withLock { $0.rotations.count } }

  /// A request that refreshes begins; `end` follows whatever becomes of it.
  func begin() -> Ticket {
    state.withLock { state in
      let ticket = Ticket(number: state.draw())
      state.running.insert(ticket)
      return ticket
    }
  }

  func end(_ ticket: Ticket) {
    state.withLock { state in
      state.running.remove(ticket)
      let oldest = state.running.min { $0.number < $1.number }?.number ?? .max
      state.rotations = state.rotations.filter { _, rotation in
        guard let committed = rotation.committed else { return rotation.by != ticket }
        return oldest < committed
      }
    }
  }

  /// Within the write: the token has been used, and this is the one after it.
  func rotate(_ used: RefreshToken, to next: RefreshToken, by ticket: Ticket) {
    state.withLock { state in
      state.rotations[used.session] = Rotation(usedHash: used.hash, next: next.text, by: ticket)
    }
  }

  /// The write is on the disk, and not answered yet.
  func commit(_ session: GlobalID, by ticket: Ticket) {
    state.withLock { state in
      guard state.rotations[session]?.by == ticket else { return }
      let moment = state.draw()
      state.rotations[session]?.committed = moment
    }
  }

  /// What was given for the token to a request that this one overlapped with.
  func next(after used: RefreshToken, for ticket: Ticket) -> String? {
    state.withLock { state in
      guard let rotation = state.rotations[used.session], rotation.usedHash == used.hash,
        ticket.number < rotation.committed ?? .max
      else { return nil }
      return rotation.next
    }
  }
}
