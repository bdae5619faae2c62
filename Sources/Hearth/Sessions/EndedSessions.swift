import GraphQLTransport
import Storage
import Synchronization

/// The sessions that have recently ended or whose member has moved to another family. Every loop uses it to invalidate
/// its cache of tokens.
///
/// A loop checks for changes at each request, which costs one atomic load. A session is added before its sign-out is
/// answered, so no later request is accepted. It is dropped when all access tokens that it can have had are expired.
final class EndedSessions: Sendable {
  /// What a loop must invalidate.
  enum Changes {
    case none
    case sessions([GlobalID])
    /// Some sessions were dropped, because the loop has not checked for too long.
    case all
  }

  /// Published by a write that has ended or moved sessions.
  private struct Added: Sendable {
    let sessions: [GlobalID]
    let change: SessionChange
  }

  private struct Log {
    var sessions: [(session: GlobalID, endedAt: Int64)] = []
    /// The number of sessions dropped before the first.
    var dropped = 0

    var count: Int { dropped + sessions.count }
  }

  /// How long sessions are kept, in milliseconds: the lifetime of access tokens.
  private let lifetime: Int64
  private let clock: Clock
  private let log = Mutex(Log())
  private let count = Atomic<Int>(0)
  private let follower: ChangeFollower?
  private let observers = Mutex<[@Sendable ([GlobalID]?, SessionChange) -> Void]>([])

  /// - Parameter follower: sends the hints of sessions to other processes; nil if this is the only process.
  init(kept lifetime: Int64, clock: Clock, follower: ChangeFollower? = nil) {
    self.lifetime = lifetime
    self.clock = clock
    self.follower = follower
  }

  /// Adds sessions after the commit that a write has ended, or whose member it has moved to another family.
  static func publish(_ sessions: [GlobalID], change: SessionChange = .ended, in transaction: WriteTransaction) {
    if !sessions.isEmpty { transaction.publish(Added(sessions: sessions, change: change)) }
  }

  /// Called after each commit with all that its writes have published.
  func noteCommitted(_ announcements: [any Sendable]) {
    for case let added as Added in announcements {
      note(added.sessions, change: added.change)
      let kind = added.change == .ended ? HintKind.endedSession : .movedSession
      for session in added.sessions { follower?.post(kind, key: session.rawValue) }
    }
  }

  /// Adds sessions that were found to be ended or moved, without a hint to other processes.
  func note(_ sessions: [GlobalID], change: SessionChange) {
    guard !sessions.isEmpty else { return }
    let now = clock.now()
    log.withLock { log in
      let old = log.sessions.prefix { $0.endedAt + lifetime < now }.count
      // Removing at least half of the array makes the cost constant on average.
      if old > 16, old >= log.sessions.count / 2 {
        log.sessions.removeFirst(old)
        log.dropped += old
      }
      log.sessions += sessions.map { ($0, now) }
      count.store(log.count, ordering: .releasing)
    }
    for observer in observers.withLock({ $0 }) { observer(sessions, change) }
  }

  /// Makes every loop verify all tokens again, because the keys have changed.
  ///
  /// - Parameter areRevoked: whether connections that were opened with these tokens are closed.
  func invalidateTokens(areRevoked: Bool) {
    log.withLock { log in
      log.dropped = log.count + 1
      log.sessions = []
      count.store(log.count, ordering: .releasing)
    }
    guard areRevoked else { return }
    for observer in observers.withLock({ $0 }) { observer(nil, .tokensRevoked) }
  }

  var keptCount: Int { log.withLock { $0.sessions.count } }

  /// Calls `body` with all sessions added from now on, on the thread that adds them, and with nil when the tokens of
  /// all sessions are revoked. It must not block.
  func observe(_ body: @escaping @Sendable ([GlobalID]?, SessionChange) -> Void) {
    observers.withLock { $0.append(body) }
  }

  /// The number of sessions added so far.
  var currentCount: Int { count.load(ordering: .acquiring) }

  /// Whether a session is among those added after the first `seen`, or may be. Updates `seen`.
  func hasChanged(_ session: GlobalID, since seen: inout Int) -> Bool {
    switch changes(since: &seen) {
    case .none: false
    case .sessions(let sessions): sessions.contains(session)
    case .all: true
    }
  }

  /// The sessions added after the first `seen`. Updates `seen`.
  @inline(__always)
  func changes(since seen: inout Int) -> Changes {
    guard count.load(ordering: .acquiring) != seen else { return .none }
    return readChanges(since: &seen)
  }

  private func readChanges(since seen: inout Int) -> Changes {
    log.withLock { log in
      defer { seen = log.count }
      guard seen >= log.dropped else { return .all }
      return .sessions(log.sessions[(seen - log.dropped)...].map(\.session))
    }
  }
}
