import Synchronization

/// Runs what changes data, such as the resolvers of mutations, in tasks that are not cancelled with their requests: a
/// client that disconnects must not end halfway what its request has begun, such as a payment that is charged and not
/// yet recorded.
package final class MutationTasks: Sendable {
  /// For executions outside of a server: the tasks run on Swift's global executor.
  static let withoutLoop = MutationTasks()

  private let executor: (any TaskExecutor)?
  private let running: RunningMutations

  /// - Parameters:
  ///   - executor: Runs the tasks; nil for Swift's global executor.
  ///   - running: Counts the tasks, for a shutdown that waits for them.
  package init(on executor: (any TaskExecutor)? = nil, countedBy running: RunningMutations = RunningMutations()) {
    self.executor = executor
    self.running = running
  }

  /// Returns when `body` has ended, also if the caller is cancelled.
  package func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    running.begin()
    return try await Task(executorPreference: executor) { [running] in
      // Here and not in the caller: its task resumes later, and may have no thread any more.
      defer { running.end() }
      return try await body()
    }.value
  }
}

/// Counts the tasks of all `MutationTasks` of a server.
package final class RunningMutations: Sendable {
  private struct State {
    var count = 0
    var waiting: [CheckedContinuation<Void, Never>] = []

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
      defer { waiting = [] }
      return waiting
    }
  }

  private let state = Mutex(State())

  package init() {}

  fileprivate func begin() { state.withLock { $0.count += 1 } }

  fileprivate func end() {
    resume(
      state.withLock { state in
        state.count -= 1
        return state.count == 0 ? state.takeWaiting() : []
      }
    )
  }

  /// Returns when none is running, at the latest after `limit`.
  package func waitUntilDone(within limit: Duration) async {
    guard limit > .zero else { return }
    var timer: Task<Void, any Error>?
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.count > 0 { state.waiting.append(continuation) }
        return state.count == 0
      }
      if isDone { return continuation.resume() }
      // Only now: a timer that fires before the continuation waits would not resume it.
      timer = Task {
        // The clock computes in nanoseconds, which longer times exceed.
        try await Task.sleep(for: min(limit, .seconds(31_536_000)))
        resume(state.withLock { $0.takeWaiting() })
      }
    }
    timer?.cancel()
  }

  private func resume(_ waiting: [CheckedContinuation<Void, Never>]) {
    for continuation in waiting { continuation.resume() }
  }
}
