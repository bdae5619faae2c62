import Synchronization

/// The refresh tokens that concurrent requests have received. Two tabs of an app that use the same token at once both
/// receive the same next token.
///
/// Two requests overlap if the second began before the first was committed. Both events draw a number from one counter,
/// and clocks are not involved, so a used token never works again merely because it was replayed quickly. A rotation is
/// kept as long as a request that it overlaps with is running.
final class RefreshOverlap: Sendable {
  /// The time at which a request began, as a number of the counter.
  struct Ticket: Hashable {
    fileprivate let number: UInt64
  }

  private struct Rotation {
    let usedHash: [UInt8]
    let next: String
    let by: Ticket
    /// The number drawn at the commit; nil before.
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

  /// The number of refresh requests in progress.
  var runningCount: Int { state.withLock { $0.running.count } }
  /// The number of rotations kept for them.
  var keptCount: Int { state.withLock { $0.rotations.count } }

  /// Begins a refresh request. `end` must follow in any case.
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

  /// Records, within the write transaction, that the token was used and what replaced it.
  func rotate(_ used: RefreshToken, to next: RefreshToken, by ticket: Ticket) {
    state.withLock { state in
      state.rotations[used.session] = Rotation(usedHash: used.hash, next: next.text, by: ticket)
    }
  }

  /// Records that the transaction is committed. The response is not sent yet.
  func commit(_ session: GlobalID, by ticket: Ticket) {
    state.withLock { state in
      guard state.rotations[session]?.by == ticket else { return }
      let moment = state.draw()
      state.rotations[session]?.committed = moment
    }
  }

  /// Returns the replacement of the token if it was issued to a request that overlaps with this one.
  func next(after used: RefreshToken, for ticket: Ticket) -> String? {
    state.withLock { state in
      guard let rotation = state.rotations[used.session], rotation.usedHash == used.hash,
        ticket.number < rotation.committed ?? .max
      else { return nil }
      return rotation.next
    }
  }
}
