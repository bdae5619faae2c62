import Basics

/// The bounded and fair queue of work for worker threads.
final class WorkQueue: Sendable {
  struct Work: Sendable {
    let perform: @Sendable () -> Void
    /// Called instead of `perform` if another lane displaces the work.
    let reject: @Sendable () -> Void
  }

  private struct State: Sendable {
    var waiting: FairQueue<Work>
    var isClosed = false
  }

  private let limit: Int
  private let monitor: Monitor<State>

  init(limit: Int, laneLimit: Int) {
    self.limit = limit
    monitor = Monitor(State(waiting: FairQueue(laneLimit: laneLimit)))
  }

  var count: Int { monitor.withLock { state, _ in state.waiting.count } }

  /// Queues the work, or calls its `reject` if the lane or the queue is full, or the queue is closed.
  func append(_ work: Work, to lane: WorkLane) {
    let admission = monitor.withLock { state, idleWorkers in
      // Work that idle workers are about to take does not count. A lane has room for at least one element.
      let admission =
        state.isClosed ? .rejected : state.waiting.append(work, to: lane, limit: limit + idleWorkers)
      if case .accepted = admission { monitor.signal() }
      return admission
    }
    switch admission {
    case .accepted: break
    case .displaced(let other): other.reject()
    case .rejected: work.reject()
    }
  }

  /// Waits for work; nil when the queue is closed and empty.
  func next() -> (@Sendable () -> Void)? {
    monitor.wait { state -> (@Sendable () -> Void)?? in
      if let work = state.waiting.popFirst() { return work.perform }
      return state.isClosed ? .some(nil) : nil
    }
  }

  func close() {
    monitor.withLock { state, _ in
      state.isClosed = true
      monitor.broadcast()
    }
  }
}
