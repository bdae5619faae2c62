import Logging
import Storage
import Synchronization

/// The task that delivers the content of a queue: whenever the queue is woken, and when the next row becomes due. Of
/// several processes, the one with the lease does.
///
/// Delivery is at-least-once: a row is claimed in the database before it is sent, and sent again when the process ended
/// before it recorded the delivery. If the database fails meanwhile, the process remembers the delivery, and takes
/// nothing else until it is recorded.
final class QueueDelivery: Sendable {
  typealias Write = @Sendable (WriteTransaction) throws -> Void

  /// The result of an attempt to deliver.
  enum Step: Sendable {
    /// Something was due. More can be.
    case attempted
    /// Nothing is due until this moment; nil when nothing waits.
    case waits(until: Int64?)
  }

  /// Milliseconds after which a delivery that could not be recorded is recorded again: less than the claims on what is
  /// being sent last.
  private static let recordingInterval: Int64 = 2_000

  /// Milliseconds after which a queue that could not be read is read again.
  private static let retryInterval: Int64 = Milliseconds.minute

  /// Milliseconds from an attempt that found nothing to the next, unless the queue is woken.
  private static let shortestSleep: Int64 = 1_000

  private let name: String
  private let signal: QueueSignal
  private let leases: Leases
  private let database: Database
  private let clock: Clock
  private let log: Logger
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
  /// Records what was sent last, until the database has recorded it.
  private let unrecorded = Mutex<Write?>(nil)

  /// - Parameters:
  ///   - name: identifies the queue in the log, and its lease.
  ///   - signal: wakes the queue.
  ///   - dueTimes: statements that return the earliest due times, which other processes can have added.
  init(
    _ name: String,
    in environment: WorkEnvironment,
    signal: QueueSignal,
    dueTimes: [SQL<Void>]
  ) {
    let clock = environment.clock
    self.name = name
    self.signal = signal
    self.clock = clock
    leases = environment.leases
    database = environment.database
    log = environment.log
    leases.add(
      Leases.Work(name: name, dueTimes: dueTimes) { dueAt in
        if dueAt <= clock.now() { signal.wake() }
      }
    )
  }

  /// Starts with what was left by the last run.
  ///
  /// - Parameter attempt: takes some of what is due, and attempts to send it.
  func start(attempt: @escaping @Sendable (_ now: Int64) async throws -> Step) {
    signal.wake()
    task.withLock { $0 = Task { await run(attempt) } }
  }

  /// Returns when what is being sent is sent or cancelled. What waits is sent after the next start.
  ///
  /// - Parameter cancelSending: cancels what is being sent.
  func stop(cancelSending: () -> Void) async {
    signal.close()
    let task = task.withLock { $0 }
    task?.cancel()
    cancelSending()
    await task?.value
  }

  /// Returns after one attempt for all that is due now.
  func deliver() async {
    await withCheckedContinuation { caller in
      waiting.withLock { $0.append(caller) }
      signal.wake()
    }
  }

  /// Records the outcomes of an attempt in one write.
  ///
  /// - Parameters:
  ///   - sent: records what was sent; nil if nothing was. If the database fails, it is repeated.
  ///   - others: records the other outcomes.
  func record(sent: Write?, others: @escaping Write = { _ in }) async throws {
    unrecorded.withLock { $0 = sent }
    try await database.write { transaction in
      try sent?(transaction)
      try others(transaction)
    }
    unrecorded.withLock { $0 = nil }
  }

  private func run(_ attempt: @Sendable (Int64) async throws -> Step) async {
    var alarm: Task<Void, Never>?
    for await _ in signal.wakes {
      let callers = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      alarm?.cancel()
      let next = await deliverAllDue(attempt)
      for caller in callers { caller.resume() }
      alarm = next.map { next in
        Task { [clock, signal] in
          do { try await clock.sleep(until: next.moment, since: next.seen) } catch { return }
          signal.wake()
        }
      }
    }
    alarm?.cancel()
    for caller in waiting.withLock({ $0 }) { caller.resume() }
  }

  /// Returns the time of the next attempt, and the time at which it was found; nil if nothing waits.
  private func deliverAllDue(
    _ attempt: @Sendable (Int64) async throws -> Step
  ) async -> (moment: Int64, seen: Int64)? {
    // Without the lease too: another process sends it again when the claim has ended.
    if let write = unrecorded.withLock({ $0 }) {
      do { try await record(sent: write) } catch {
        // The first failure was logged.
        return wait(Self.recordingInterval)
      }
    }
    while !Task.isCancelled, leases.holds(name) {
      let now = clock.now()
      do {
        guard case .waits(let moment) = try await attempt(now) else { continue }
        // The next due time can have passed meanwhile.
        return moment.map { (max($0, now + Self.shortestSleep), now) }
      } catch {
        // The database is being closed or cannot be used. The rows are still in it.
        log.error("A queue could not be read or updated.", metadata: ["queue": "\(name)", "error": "\(error)"])
        let isRecorded = unrecorded.withLock { $0 == nil }
        return wait(isRecorded ? Self.retryInterval : Self.recordingInterval)
      }
    }
    return nil
  }

  private func wait(_ milliseconds: Int64) -> (moment: Int64, seen: Int64) {
    let now = clock.now()
    return (now + milliseconds, now)
  }
}
