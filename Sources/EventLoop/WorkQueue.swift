import Glibc

/// Work that waits for a worker, bounded in number.
///
/// `@unchecked Sendable`: every access to the variables is made with `mutex` held. The mutex is the C library's because
/// Swift's has no condition to wait on.
final class WorkQueue: @unchecked Sendable {
  private let limit: Int
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let isFilled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// First in, first out: the first `taken` elements have been handed out already.
  private var waiting: [@Sendable () -> Void] = []
  private var taken = 0
  private var idleWorkers = 0
  private var isClosed = false

  init(limit: Int) {
    self.limit = limit
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(isFilled, nil)
  }

  deinit {
    pthread_cond_destroy(isFilled)
    pthread_mutex_destroy(mutex)
    isFilled.deallocate()
    mutex.deallocate()
  }

  /// False when the queue is full or closed.
  func append(_ work: @escaping @Sendable () -> Void) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    guard !isClosed, waiting.count - taken < limit + idleWorkers else { return false }
    waiting.append(work)
    pthread_cond_signal(isFilled)
    return true
  }

  /// Waits for work; nil when the queue is closed and empty.
  func next() -> (@Sendable () -> Void)? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while taken == waiting.count {
      if isClosed { return nil }
      idleWorkers += 1
      pthread_cond_wait(isFilled, mutex)
      idleWorkers -= 1
    }
    let work = waiting[taken]
    taken += 1
    // Moved down only now and then, which is cheap on average, and the queue is short.
    if taken == waiting.count || taken > limit {
      waiting.removeFirst(taken)
      taken = 0
    }
    return work
  }

  func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_broadcast(isFilled)
    pthread_mutex_unlock(mutex)
  }
}
