import GraphQLTransport
import Synchronization

/// The sessions that have ended lately, or whose member has moved to another family, so that every loop drops the
/// tokens it remembers for them.
///
/// A loop asks at each request whether there is anything new, which costs one load; a session is put here before its
/// sign-out is answered, so that no later request finds it alive. When all access tokens that it can have had are over,
/// it is dropped.
final class EndedSessions: Sendable {
  /// What a loop has to forget.
  enum News {
    case nothing
    case some([GlobalID])
    /// It has not looked for so long that some were dropped meanwhile.
    case everything
  }

  private struct Log {
    var sessions: [(session: GlobalID, endedAt: Int64)] = []
    /// How many were dropped before the first.
    var dropped = 0

    var count: Int { dropped + sessions.count }
  }

  /// For how long they are kept, in milliseconds: the lifetime of access tokens.
  private let lifetime: Int64
  private let log = Mutex(Log())
  private let count = Atomic<Int>(0)

  private let observers = Mutex<[@Sendable ([GlobalID], SessionChange) -> Void]>([])

  init(kept lifetime: Int64) { self.lifetime = lifetime }

  func append(_ sessions: [GlobalID], _ change: SessionChange = .ended, at now: Int64) {
    guard !sessions.isEmpty else { return }
    log.withLock { log in
      let old = log.sessions.prefix { $0.endedAt + lifetime < now }.count
      // Moved down only when it is half of all, which is cheap on average.
      if old > 16, old >= log.sessions.count / 2 {
        log.sessions.removeFirst(old)
        log.dropped += old
      }
      log.sessions += sessions.map { ($0, now) }
      count.store(log.count, ordering: .releasing)
    }
    for observer in observers.withLock({ $0 }) { observer(sessions, change) }
  }

  var keptCount: Int { log.withLock { $0.sessions.count } }

  /// Has `body` called with all that are put here from now on: on the thread that does it, so it must hand over and
  /// return.
  func observe(_ body: @escaping @Sendable ([GlobalID], SessionChange) -> Void) {
    observers.withLock { $0.append(body) }
  }

  /// Those that came after the first `seen`. `seen` is brought up to date.
  @inline(__always)
  func new(since seen: inout Int) -> News {
    guard count.load(ordering: .acquiring) != seen else { return .nothing }
    return news(since: &seen)
  }

  private func news(since seen: inout Int) -> News {
    log.withLock { log in
      defer { seen = log.count }
      guard seen >= log.dropped else { return .everything }
      return .some(log.sessions[(seen - log.dropped)...].map(\.session))
    }
  }
}
