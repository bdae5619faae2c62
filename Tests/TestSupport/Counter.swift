import Synchronization

/// Counts events from any thread, and lets a test wait until there have been enough.
package final class Counter: Sendable {
  private struct State {
    var count = 0
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }
  private let state = Mutex(State())

  package init() {}

  package var count: Int { state.withLock { $0.count } }

  package func increment() {
    let reached = state.withLock { state in
      state.count += 1
      let reached = state.waiting.filter { $0.count <= state.count }
      state.waiting.removeAll { $0.count <= state.count }
      return reached
    }
    for waiting in reached { waiting.continuation.resume() }
  }

  package func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.count < count { state.waiting.append((count, continuation)) }
        return state.count >= count
      }
      if isReached { continuation.resume() }
    }
  }
}
