import Basics
import Logging
import Storage
import Synchronization

/// Reads what other processes change in the database, on a thread of its own, and sends them hints of what this one
/// changes.
///
/// A hint has the data that it names read at once. Hints can be lost, so all data is read when some are missing, and at
/// intervals. Only what is read counts.
final class ChangeFollower: Sendable {
  private struct State {
    var database: Database?
    var data: [FollowedData] = []
    /// The indices of the data that hints have named.
    var due: Set<Int> = []
    /// Whether hints are missing.
    var mustReadAll = false
    var isClosed = false
  }

  /// The time after which it reads again when the database did not answer.
  private static let retryInterval = Duration.milliseconds(500)

  private let log: Logger
  private let state = Monitor(State())
  private let thread = Mutex<SystemThread?>(nil)

  init(log: Logger) { self.log = log }

  /// Sends hints from now on.
  func attach(_ database: Database) { state.withLock { state, _ in state.database = database } }

  /// Must be called once, after `attach`.
  ///
  /// - Parameter data: read in this order.
  func start(_ data: [FollowedData]) throws {
    // The process has just read its data, so what hints have named before need not be read again.
    let database = state.withLock { state, _ in
      state = State(database: state.database, data: data)
      return state.database
    }
    guard let database else { return }
    let started = try SystemThread(name: "follower") { [self] in
      do { run(data, with: try database.makeReader()) } catch { warn(of: error) }
    }
    thread.withLock { $0 = started }
  }

  /// Waits until the thread has ended. Blocks for as long as the database needs to answer.
  func stop() {
    state.withLock { state, _ in (state.isClosed, state.data) = (true, []) }
    state.broadcast()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  // MARK: Hints

  /// Sends a hint to the other processes. Without effect if no hints are exchanged.
  func post(_ kind: HintKind, key: Int64 = 0, number: Int64 = 0) {
    state.withLock { state, _ in state.database }?.postHint(kind.letter, key: key, number: number)
  }

  /// Called with the hints of other processes; nil if some may have been lost.
  @Sendable func receive(_ hints: [Database.Hint]?) {
    guard let hints else {
      state.withLock { state, _ in state.mustReadAll = true }
      return state.signal()
    }
    let hintsByKind = Dictionary(grouping: hints) { HintKind(of: $0) }
    var due: Set<Int> = []
    for (index, item) in state.withLock({ state, _ in state.data }).enumerated() {
      for (kind, receive) in item.receivers {
        if let hints = hintsByKind[kind], receive(hints) { due.insert(index) }
      }
    }
    read(due)
  }

  /// Has the data read that hints of a kind are about.
  func read(_ kind: HintKind) {
    let data = state.withLock { state, _ in state.data }
    read(Set(data.indices.filter { data[$0].receivers[kind] != nil }))
  }

  private func read(_ due: Set<Int>) {
    guard !due.isEmpty else { return }
    state.withLock { state, _ in state.due.formUnion(due) }
    state.signal()
  }

  // MARK: The thread

  private func run(_ data: [FollowedData], with reader: Reader) {
    var readAt = Array(repeating: ContinuousClock.now, count: data.count)
    var hasFailed = false
    while true {
      let intervals = data.map { Duration.milliseconds($0.interval()) }
      let next = zip(readAt, intervals).map { $0 + $1 }.min()
      guard let due = waitForHints(until: hasFailed ? nil : next) else { return }
      // One time for all, so that data with the same interval is read together, in one snapshot.
      let now = ContinuousClock.now
      do {
        defer { reader.endRead() }
        for (index, item) in data.enumerated() {
          let isComplete = due.all || hasFailed || now - readAt[index] >= intervals[index]
          guard isComplete || due.named.contains(index) else { continue }
          try item.read(reader, isComplete)
          if isComplete { readAt[index] = now }
        }
        hasFailed = false
      } catch {
        if !hasFailed { warn(of: error) }
        hasFailed = true
      }
    }
  }

  /// Waits for hints or for some time, and takes what the hints have named. Returns nil when the follower is stopped.
  ///
  /// - Parameter time: nil to wait for `retryInterval`, also if there are hints.
  private func waitForHints(until time: ContinuousClock.Instant?) -> (named: Set<Int>, all: Bool)? {
    let timeout = time.map { max(ContinuousClock.now.duration(to: $0), .milliseconds(1)) } ?? Self.retryInterval
    let isClosed = state.wait(atMost: timeout) { state in
      if state.isClosed { return true }
      return time == nil || state.due.isEmpty && !state.mustReadAll ? nil : false
    }
    if isClosed == true { return nil }
    return state.withLock { state, _ in
      defer { (state.due, state.mustReadAll) = ([], false) }
      return (state.due, state.mustReadAll)
    }
  }

  private func warn(of error: any Error) {
    log.warning("The changes of other processes cannot be read.", metadata: ["error": "\(error)"])
  }
}
