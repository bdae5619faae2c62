import Synchronization

/// The sessions that have ended since the process started, or whose member has moved to another family, so that every loop
/// drops the tokens it remembers for them.
///
/// A loop asks at each request whether there is anything new, which costs one load; a session is put here before its
/// sign-out is answered, so that no later request finds it alive.
final class EndedSessions: Sendable {
  private let list = Mutex<[GlobalID]>([])
  private let count = Atomic<Int>(0)

  func append(_ sessions: [GlobalID]) {
    list.withLock { list in
      list += sessions
      count.store(list.count, ordering: .releasing)
    }
  }

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
