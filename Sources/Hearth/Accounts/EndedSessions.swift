import Synchronization

/// The sessions that have ended since the process started, or whose member has moved to another family, so that every loop
/// drops the tokens it remembers for them.
///
/// A loop asks at each request whether there is anything new, which costs one load; a session is put here before its
/// sign-out is answered, so that no later request finds it alive.
final class EndedSessions: Sendable {
  private let list = Mutex<[GlobalID]>([])
  private let count = Atomic<Int>(0)

  private let observers = Mutex<[@Sendable ([GlobalID]) -> Void]>([])

  func append(_ sessions: [GlobalID]) {
    guard !sessions.isEmpty else { return }
    list.withLock { list in
      list += sessions
      count.store(list.count, ordering: .releasing)
    }
    for observer in observers.withLock({ $0 }) { observer(sessions) }
  }

  /// Has `body` called with all that are put here from now on: on the thread that does it, so it must hand over and return.
  func observe(_ body: @escaping @Sendable ([GlobalID]) -> Void) { observers.withLock { $0.append(body) } }

  /// Those that came after the first `seen`. `seen` is brought up to date.
  @inline(__always)
  func new(since seen: inout Int) -> [GlobalID] {
    guard count.load(ordering: .acquiring) != seen else { return [] }
    return list.withLock { list in
      defer { seen = list.count }
      return Array(list[seen...])
    }
  }
}
