import Synchronization

/// The task that delivers the content of a queue: whenever the queue is woken, and when the next row becomes due.
final class QueueDelivery: Sendable {
  /// Milliseconds after which a delivery that could not be recorded is recorded again: less than the claims on what is
  /// being sent last.
  static let recordingInterval: Int64 = 2_000

  /// Milliseconds after which a queue that could not be read is read again.
  static let retryInterval: Int64 = Milliseconds.minute

  private let wake: @Sendable () -> Void
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

  /// - Parameter wake: adds an element to the queue's notifications.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Starts with what was left by the last run.
  ///
  /// - Parameters:
  ///   - wakes: has an element whenever there may be something to deliver. Its end is that of the task.
  ///   - sleep: returns at a moment, or throws if the task is cancelled.
  ///   - deliverAllDue: attempts what is due, and returns the time at which the next row is due.
  func start(
    on wakes: AsyncStream<Void>,
    sleep: @escaping @Sendable (_ moment: Int64) async throws -> Void,
    deliverAllDue: @escaping @Sendable () async -> Int64?
  ) {
    wake()
    task.withLock { $0 = Task { await run(wakes, sleep: sleep, deliverAllDue) } }
  }

  func cancel() { task.withLock { $0?.cancel() } }

  /// Returns when the task has ended. The queue must be closed.
  func end() async { await task.withLock { $0 }?.value }

  /// Returns after one attempt for all that is due now.
  func deliver() async {
    await withCheckedContinuation { caller in
      waiting.withLock { $0.append(caller) }
      wake()
    }
  }

  private func run(
    _ wakes: AsyncStream<Void>,
    sleep: @escaping @Sendable (Int64) async throws -> Void,
    _ deliverAllDue: @Sendable () async -> Int64?
  ) async {
    var alarm: Task<Void, Never>?
    for await _ in wakes {
      let callers = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      alarm?.cancel()
      let nextDue = await deliverAllDue()
      for caller in callers { caller.resume() }
      alarm = nextDue.map { moment in
        let wake = wake
        return Task {
          do { try await sleep(moment) } catch { return }
          wake()
        }
      }
    }
    alarm?.cancel()
    for caller in waiting.withLock({ $0 }) { caller.resume() }
  }
}
