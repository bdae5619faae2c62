#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The writes that wait, between the callers' threads and the writer's.
final class WriteQueue {
  private let limit: Int
  private let groupLimit: Int
  /// Both allocated here and freed in deinit, since they may not move.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  // Guarded by `mutex`.
  private var waiting: [PendingWrite] = []
  private var isClosed = false
  private var hasEnded = false
  private var whenEnded: [@Sendable () -> Void] = []

  init(limit: Int, groupLimit: Int) {
    self.limit = limit
    self.groupLimit = groupLimit
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    changed.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  private func locked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// How many wait; those that the writer has taken are not among them.
  var count: Int { locked { waiting.count } }

  /// Puts a write at the end, or refuses it as `overloaded` or `closed`.
  func append(_ write: PendingWrite) throws(DatabaseError) {
    try locked { () throws(DatabaseError) in
      if isClosed { throw DatabaseError(.closed, "The database is shut.") }
      if waiting.count >= limit { throw DatabaseError(.overloaded, "\(limit) writes are waiting.") }
      waiting.append(write)
      if waiting.count == 1 { pthread_cond_signal(changed) }
    }
  }

  /// Waits for writes and takes those there are, up to a group's worth. Nil once the queue is closed and empty.
  func next() -> [PendingWrite]? {
    locked {
      while waiting.isEmpty {
        if isClosed { return nil }
        pthread_cond_wait(changed, mutex)
      }
      if waiting.count <= groupLimit {
        let group = waiting
        waiting = []
        return group
      }
      let group = Array(waiting.prefix(groupLimit))
      waiting.removeFirst(groupLimit)
      return group
    }
  }

  /// Takes no more writes. `whenEnded` is called after those that wait are done and the writer has gone.
  func close(_ action: (@Sendable () -> Void)? = nil) {
    let isOver = locked {
      isClosed = true
      pthread_cond_signal(changed)
      if let action, !hasEnded { whenEnded.append(action) }
      return hasEnded
    }
    if isOver { action?() }
  }

  /// The writer has gone.
  func end() {
    let actions = locked {
      hasEnded = true
      return whenEnded
    }
    for action in actions { action() }
  }
}

// Everything that changes is behind the mutex, and what does not is a let.
extension WriteQueue: @unchecked Sendable {}
