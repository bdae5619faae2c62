import Synchronization

/// How long reminders wait for turns of periods that are due. A turn that fails again and again does not hold them back
/// for longer than `maximum`.
final class TurnWait: Sendable {
  /// A due turn, and when this process found it.
  private struct Found {
    let turn: Int64
    let at: Int64
  }

  /// In milliseconds. After an outage, turns of many families are due at once.
  static let maximum: Int64 = 5 * Milliseconds.minute

  private let found = Mutex<Found?>(nil)

  /// - Parameter turn: the earliest next turn of all families.
  func waits(for turn: Int64?, at now: Int64) -> Bool {
    found.withLock { found in
      guard let turn, turn <= now else {
        found = nil
        return false
      }
      if let known = found, known.turn == turn, known.at <= now { return now - known.at < Self.maximum }
      found = Found(turn: turn, at: now)
      return true
    }
  }
}
