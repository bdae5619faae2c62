/// Why a `BlockingQueue` rejects an element. Not a type within the generic queue: the runtime would look up its
/// metadata for each call, which takes 400 instructions.
package enum QueueRejection: Error {
  case full, closed
}

/// A bounded first-in, first-out queue whose consumers block until it has elements.
package final class BlockingQueue<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var elements = Fifo<Element>()
    var isClosed = false
  }

  private let limit: Int
  private let monitor = Monitor(State())

  /// The queue holds at most `limit` elements, plus one for each waiting thread.
  package init(limit: Int) { self.limit = limit }

  package var count: Int { monitor.withLock { state, _ in state.elements.count } }

  package func append(_ element: Element) throws(QueueRejection) {
    try monitor.withLock { (state, waitingThreads) throws(QueueRejection) in
      if state.isClosed { throw .closed }
      if state.elements.count >= limit + waitingThreads { throw .full }
      state.elements.append(element)
      monitor.signal()
    }
  }

  /// Waits for elements and removes at most `count` of them. Returns nil when the queue is closed and empty.
  package func next(atMost count: Int) -> [Element]? {
    monitor.wait { state -> [Element]?? in
      guard !state.elements.isEmpty else { return state.isClosed ? .some(nil) : nil }
      var group: [Element] = []
      group.reserveCapacity(min(count, state.elements.count))
      while group.count < count, let element = state.elements.popFirst() { group.append(element) }
      return group
    }
  }

  /// Inserts elements that were removed at the front again, whatever the limit is, and also after `close`.
  package func putBack(_ elements: [Element]) {
    guard !elements.isEmpty else { return }
    monitor.withLock { state, _ in
      state.elements.prepend(contentsOf: elements)
      monitor.signal()
    }
  }

  /// Appends an element that was removed, whatever the limit is, and also after `close`.
  package func putBackLast(_ element: Element) {
    monitor.withLock { state, _ in
      state.elements.append(element)
      monitor.signal()
    }
  }

  /// Removes the first elements for which `condition` returns true.
  package func removeFirst(while condition: (Element) -> Bool) -> [Element] {
    monitor.withLock { state, _ in
      var removed: [Element] = []
      while let element = state.elements.popFirst(if: condition) { removed.append(element) }
      return removed
    }
  }

  /// Rejects further elements. Waiting elements can still be removed.
  package func close() {
    monitor.withLock { state, _ in
      state.isClosed = true
      monitor.broadcast()
    }
  }
}
