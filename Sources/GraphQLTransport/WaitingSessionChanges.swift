import Synchronization

/// The changes of sessions that a loop has not yet acted on.
///
/// The task that wakes the loop for a change is behind the jobs that the loop already has, such as a delivery that
/// takes the events of the same commit. So the loop also looks here before each turn of its subscriptions, which costs
/// an atomic load: no event reaches a session that had ended before the event was published.
final class WaitingSessionChanges: Sendable {
  /// Nil stands for all sessions.
  typealias Entry = (sessions: [Int64]?, change: SessionChange)

  private let entries = Mutex<[Entry]>([])
  private let hasEntries = Atomic(false)

  var isEmpty: Bool { !hasEntries.load(ordering: .acquiring) }

  func append(_ entry: Entry) {
    entries.withLock { entries in
      entries.append(entry)
      hasEntries.store(true, ordering: .releasing)
    }
  }

  /// Removes all, in the order in which they were added.
  func takeAll() -> [Entry] {
    entries.withLock { entries in
      defer { entries = [] }
      hasEntries.store(false, ordering: .releasing)
      return entries
    }
  }
}
