import Glibc

/// A bounded queue, first in, first out, on which threads wait for elements.
///
/// `@unchecked Sendable`: every access to the variables is made with `mutex` held. The mutex is the C library's because
/// Swift's has no condition to wait on.
package final class BlockingQueue<Element: Sendable>: @unchecked Sendable {
  package enum Rejection: Error {
    case full, closed
  }

  private let limit: Int
  // Allocated here and freed in deinit, since they must not move.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let isFilled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// The first `taken` elements have been handed out already.
  private var elements: [Element] = []
  private var taken = 0
  private var waitingThreads = 0
  private var isClosed = false

  /// At most `limit` elements wait, besides one for each thread that waits for an element.
  package init(limit: Int) {
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

  private func locked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  package var count: Int { locked { elements.count - taken } }

  package func append(_ element: Element) throws(Rejection) {
    try locked { () throws(Rejection) in
      if isClosed { throw .closed }
      if elements.count - taken >= limit + waitingThreads { throw .full }
      elements.append(element)
      pthread_cond_signal(isFilled)
    }
  }

  /// Waits for an element. Returns nil when the queue is closed and empty.
  package func next() -> Element? {
    locked {
      guard waitUntilFilled() else { return nil }
      let element = elements[taken]
      remove(1)
      return element
    }
  }

  /// Waits for elements and takes at most `count` of them. Returns nil when the queue is closed and empty.
  package func next(atMost count: Int) -> [Element]? {
    locked {
      guard waitUntilFilled() else { return nil }
      let group = Array(elements[taken...].prefix(count))
      remove(group.count)
      return group
    }
  }

  /// Rejects further elements. Those that wait are still handed out.
  package func close() {
    locked {
      isClosed = true
      pthread_cond_broadcast(isFilled)
    }
  }

  private func waitUntilFilled() -> Bool {
    while taken == elements.count {
      if isClosed { return false }
      waitingThreads += 1
      pthread_cond_wait(isFilled, mutex)
      waitingThreads -= 1
    }
    return true
  }

  private func remove(_ count: Int) {
    taken += count
    // Elements are moved down rarely, which is cheap on average, and the queue is short.
    if taken == elements.count || taken > limit {
      elements.removeFirst(taken)
      taken = 0
    }
  }
}
