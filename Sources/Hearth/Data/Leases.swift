import Storage
import Synchronization

/// Which of the work that processes have in common this one does. With PostgreSQL each work has a lease, which one
/// process has at a time and `Heartbeat` renews. With SQLite one process does all.
///
/// Leases save work. They do not make it right: a process can lose one without noticing, because it was suspended. Each
/// transaction of the work must therefore admit that another process does the same.
final class Leases: Sendable {
  /// Work that one process does at a time.
  struct Work: Sendable {
    let name: String
    /// Statements that return when work is due, if there is any. Another process may have added it.
    let dueTimes: [SQL<Void>]
    /// Called when this process gets the lease, with 0, and then with the earliest due time. Must not block.
    let dueTimeDidChange: @Sendable (_ dueAt: Int64) -> Void
  }

  private struct State {
    var works: [Work] = []
    /// The names of the leases that this process had when it last looked.
    var held: Set<String> = []
    var heldUntil = ContinuousClock.now
  }

  /// False with SQLite.
  let areShared: Bool
  private let state = Mutex(State())

  init(areShared: Bool = false) { self.areShared = areShared }

  /// Adds work before the server starts.
  func add(_ work: Work) { state.withLock { $0.works.append(work) } }

  var works: [Work] { state.withLock { $0.works } }

  /// The names of all work, in alphabetical order.
  var names: [String] { works.map(\.name).sorted() }

  /// Whether this process does the work of this name.
  func holds(_ name: String) -> Bool {
    guard areShared else { return true }
    return state.withLock { $0.held.contains(name) && ContinuousClock.now < $0.heldUntil }
  }

  /// Notes which leases this process has until when, and passes on what is due.
  ///
  /// - Parameter values: what the statements of all work returned, in their order.
  func renew(_ held: Set<String>, until end: ContinuousClock.Instant, _ values: [Int64?]) {
    let (works, earlier) = state.withLock { state in
      defer {
        state.held = held
        state.heldUntil = end
      }
      return (state.works, ContinuousClock.now < state.heldUntil ? state.held : [])
    }
    var rest = values[...]
    for work in works {
      let dueAt = rest.prefix(work.dueTimes.count).compactMap(\.self).min()
      rest = rest.dropFirst(work.dueTimes.count)
      guard held.contains(work.name) else { continue }
      if !earlier.contains(work.name) { work.dueTimeDidChange(0) } else if let dueAt { work.dueTimeDidChange(dueAt) }
    }
  }

  /// Notes that this process has no lease any more.
  func end() { state.withLock { $0.held = [] } }
}
