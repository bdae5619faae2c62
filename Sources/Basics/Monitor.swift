import Glibc

/// State that threads share under a lock, with a condition variable to wait for changes.
///
/// `@unchecked Sendable`: the variables are accessed only with `mutex` held. The mutex is the C library's because
/// Swift's has no condition variable.
package final class Monitor<State: Sendable>: @unchecked Sendable {
  // Allocated here and freed in deinit, since they must not move.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State
  private var waitingThreads = 0

  package init(_ state: State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    // Setting the system's clock must neither shorten nor prolong a wait.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Calls `body` with the state and the number of threads that wait for a change.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State, _ waitingThreads: Int) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state, waitingThreads)
  }

  /// Calls `body` until it returns a value, and waits for a change before each further call. Blocks the calling thread.
  package func wait<Result>(for body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      waitingThreads += 1
      pthread_cond_wait(condition, mutex)
      waitingThreads -= 1
    }
  }

  /// The same, but returns nil when `body` has returned no value for some time.
  ///
  /// - Parameter timeout: The longest time to wait, by a clock that is never set.
  package func wait<Result>(atMost timeout: Duration, for body: (inout State) -> Result?) -> Result? {
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    let (seconds, fraction) = timeout.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let nanoseconds = deadline.tv_nsec + Int(fraction)
    deadline.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      waitingThreads += 1
      let status = pthread_cond_timedwait(condition, mutex, &deadline)
      waitingThreads -= 1
      if status == ETIMEDOUT { return body(&state) }
    }
  }

  /// Wakes one waiting thread. Call it after a change of the state.
  package func signal() { pthread_cond_signal(condition) }

  /// Wakes all waiting threads.
  package func broadcast() { pthread_cond_broadcast(condition) }
}
