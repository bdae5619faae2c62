import Glibc

/// The bounded and fair queue of work for worker threads.
///
/// `@unchecked Sendable`: every access to the variables is made with `mutex` held. It is a mutex of the C library
/// because Swift's has no condition variable.
final class WorkQueue: @unchecked Sendable {
  struct Work: Sendable {
    let perform: @Sendable () -> Void
    /// Called instead of `perform` if another lane displaces the work.
    let reject: @Sendable () -> Void
  }

  private let limit: Int
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let isFilled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var waiting: FairQueue<Work>
  private var idleWorkers = 0
  private var isClosed = false

  init(limit: Int, laneLimit: Int) {
    self.limit = limit
    waiting = FairQueue(laneLimit: laneLimit)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(isFilled, nil)
  }

  deinit {
    pthread_cond_destroy(isFilled)
    pthread_mutex_destroy(mutex)
    isFilled.deallocate()
    mutex.deallocate()
  }

  var count: Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return waiting.count
  }

  /// Queues the work, or calls its `reject` if the lane or the queue is full, or the queue is closed.
  func append(_ work: Work, to lane: WorkLane) {
    pthread_mutex_lock(mutex)
    // Work that idle workers are about to take does not count. A lane has room for at least one element.
    let admission = isClosed ? .rejected : waiting.append(work, to: lane, limit: limit + idleWorkers)
    if case .accepted = admission { pthread_cond_signal(isFilled) }
    pthread_mutex_unlock(mutex)
    switch admission {
    case .accepted: break
    case .displaced(let other): other.reject()
    case .rejected: work.reject()
    }
  }

  /// Waits for work; nil when the queue is closed and empty.
  func next() -> (@Sendable () -> Void)? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let work = waiting.popFirst() { return work.perform }
      if isClosed { return nil }
      idleWorkers += 1
      pthread_cond_wait(isFilled, mutex)
      idleWorkers -= 1
    }
  }

  func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_broadcast(isFilled)
    pthread_mutex_unlock(mutex)
  }
}
