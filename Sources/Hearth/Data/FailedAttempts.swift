import Logging
import Storage
import Synchronization

/// The people, children or families for whom a scheduler's work fails: that of the others is performed meanwhile. A
/// process that starts tries all again.
final class FailedAttempts: Sendable {
  /// Milliseconds after which work that fails is tried again.
  static let delay: Int64 = 10 * Milliseconds.minute
  /// The number of attempts before the delay. A write can fail because the database has a fault for some seconds.
  static let maximumAttempts = 4

  private struct Failure {
    /// Runs of the scheduler that were begun since the last that was committed, or since the delay.
    var attempts = 0
    var lastRun: Timestamp?
    /// Nil before the first delay.
    var retryAt: Int64?
  }

  private let work: String
  private let log: Logger
  private let failures = Mutex<[GlobalID: Failure]>([:])

  /// - Parameter work: the subject of the sentence in the log, such as "An erasure".
  init(of work: String, log: Logger) {
    self.work = work
    self.log = log
  }

  /// Those for whom the work is not tried yet. A delay that is too long was set while the clock was ahead.
  func waiting(at now: Int64) -> Set<GlobalID> {
    failures.withLock { failures in
      Set(failures.filter { $0.value.retryAt.map { now < $0 && $0 <= now + Self.delay } ?? false }.keys)
    }
  }

  /// When the next of them is tried again.
  func nextRetry(after now: Int64) -> Int64? {
    failures.withLock { failures in failures.values.compactMap(\.retryAt).filter { $0 > now }.min() }
  }

  /// Whether attempts have failed, and none has succeeded since.
  func hasFailed(at subject: GlobalID) -> Bool { failures.withLock { $0[subject] != nil } }

  /// Returns false if the work has failed too often, and has to wait.
  ///
  /// - Parameter run: when the scheduler's run began. Its write can be executed several times, as after a conflict with
  ///   a write of another process or because others of its group fail. These count as one attempt.
  func beginAttempt(at subject: GlobalID, in run: Timestamp, now: Int64) -> Bool {
    let (earlier, mustWait) = failures.withLock { failures in
      let earlier = failures[subject] ?? Failure()
      guard earlier.lastRun != run else { return (earlier, false) }
      let mustWait = earlier.attempts == Self.maximumAttempts
      failures[subject] =
        mustWait
        ? Failure(attempts: 0, retryAt: now + Self.delay)
        : Failure(attempts: earlier.attempts + 1, lastRun: run, retryAt: earlier.retryAt)
      return (earlier, mustWait)
    }
    guard mustWait else { return true }
    if earlier.retryAt == nil {
      log.error(
        "\(work) fails, and is tried again every ten minutes. The others are not delayed.",
        metadata: ["key": "\(subject.rawValue)"]
      )
    }
    return false
  }

  /// Begins an attempt at the work of the first subject that is due and does not wait. Returns nil if there is no such
  /// subject. The attempt fails unless the write is committed.
  ///
  /// - Parameters:
  ///   - now: in milliseconds: the clock by which work is due, which can differ from the time of the run.
  ///   - write: that of the scheduler's run.
  ///   - find: returns at most `limit` subjects that are due, the earliest first.
  func beginNext<Due>(
    at now: Int64,
    of subject: (Due) -> GlobalID,
    in write: DatedWrite,
    find: (_ limit: Int64) throws -> [Due]
  ) throws -> Due? {
    while true {
      let waiting = waiting(at: now)
      guard let due = try find(Int64(waiting.count) + 1).first(where: { !waiting.contains(subject($0)) }) else {
        return nil
      }
      let found = subject(due)
      guard beginAttempt(at: found, in: write.now, now: now) else { continue }
      write.transaction.afterCommit { self.attemptSucceeded(at: found) }
      return due
    }
  }

  /// Called after the commit of an attempt's write.
  func attemptSucceeded(at subject: GlobalID) {
    failures.withLock { $0[subject] = nil }
  }
}
