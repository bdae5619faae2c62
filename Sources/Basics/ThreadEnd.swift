import Synchronization

/// Lets callers wait until a thread has ended, without blocking their own threads.
package final class ThreadEnd: Sendable {
  private struct State {
    var isOver = false
    var callers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Resumes the callers. Called once, by the thread when it ends.
  package func threadHasEnded() {
    let callers = state.withLock { state in
      state.isOver = true
      return state.callers
    }
    for caller in callers { caller.resume() }
  }

  package func wait() async {
    await withCheckedContinuation { caller in
      let isOver = state.withLock { state in
        if !state.isOver { state.callers.append(caller) }
        return state.isOver
      }
      if isOver { caller.resume() }
    }
  }
}
