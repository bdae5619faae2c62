import Logging
import Storage
import Synchronization

/// Runs work when it becomes due, and at the start the work that became due while the server was down. Of several
/// processes, the one with the lease does.
///
/// It sleeps until the earliest due time and never polls. `schedule(at:)` announces each new due time of this process,
/// and `Leases` those of others. Its state can be lost, because the database contains all due times: each run returns
/// the next one.
final class Scheduler: Sendable {
  /// Performs a bounded portion of the due work, and returns the time of the next, in milliseconds: that of the write
  /// if work is left. Other writes can be committed between two portions.
  typealias Work = @Sendable (DatedWrite) throws -> Int64?

  private struct State {
    /// The time that the scheduler sleeps until, or nil if there is none.
    var next: Int64?
    var sleeper: Task<Void, Never>?
    var isRunning = false
    var isStopped = false
    /// The error of the last run; nil if it succeeded. An error that goes on is logged once.
    var failure: String?
  }

  /// Milliseconds after which failed work is retried.
  static let retryDelay: Int64 = 1_000

  private let name: String
  /// Nil for work that each process does for itself.
  private let leases: Leases?
  private let database: Database
  private let clock: Clock
  private let log: Logger
  private let work: Work
  private let state = Mutex(State())

  /// - Parameters:
  ///   - name: identifies the scheduler in the log, and its lease.
  ///   - isShared: whether one process does the work for all, the one with the lease. False for work that each process
  ///     does for itself.
  ///   - dueTimes: statements that return the earliest due times, which other processes can have added.
  init(
    _ name: String,
    in environment: WorkEnvironment,
    isShared: Bool = true,
    dueTimes: [SQL<Void>] = [],
    work: @escaping Work
  ) {
    self.name = name
    leases = isShared ? environment.leases : nil
    database = environment.database
    clock = environment.clock
    log = environment.log
    self.work = work
    leases?.add(Leases.Work(name: name, dueTimes: dueTimes) { [weak self] dueAt in self?.dueTimeDidChange(dueAt) })
  }

  func start() { schedule(at: clock.now()) }

  /// Stops until the next start.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.sleeper?.cancel()
      state.sleeper = nil
    }
  }

  /// Announces that work becomes due at `moment`. Can be called from any thread, and does not wait for the work.
  func schedule(at moment: Int64) { schedule(at: moment, since: nil) }

  /// - Parameter seen: the time at which the work was looked for; nil for now.
  private func schedule(at moment: Int64, since seen: Int64?) {
    state.withLock { state in
      guard !state.isStopped, moment < state.next ?? .max else { return }
      state.next = moment
      state.sleeper?.cancel()
      state.sleeper = Task { [self] in
        do { try await clock.sleep(until: moment, since: seen) } catch { return }
        wake(from: moment)
        await runDueWork()
      }
    }
  }

  /// Schedules work that was found in the database. A run finds the next due time by itself.
  private func dueTimeDidChange(_ dueAt: Int64) {
    guard !state.withLock({ $0.isRunning }) else { return }
    schedule(at: dueAt)
  }

  /// Clears the due time, so that later announcements start a new sleep. If it has changed since, another sleeper is
  /// responsible for it.
  private func wake(from moment: Int64) {
    state.withLock { state in
      guard state.next == moment else { return }
      state.next = nil
      state.sleeper = nil
    }
  }

  private func runDueWork() async {
    guard leases?.holds(name) ?? true else { return }
    state.withLock { $0.isRunning = true }
    defer { state.withLock { $0.isRunning = false } }
    let now = clock.now()
    let work = work
    do {
      let next = try await database.write { transaction in try work(DatedWrite(at: Timestamp(now), in: transaction)) }
      if let next { schedule(at: next, since: now) }
      if replaceFailure(by: nil) != nil {
        log.notice("Scheduled work succeeds again.", metadata: ["scheduler": "\(name)"])
      }
    } catch let error as DatabaseError where error.code == .closed {
      return
    } catch {
      let failure = "\(error)"
      if replaceFailure(by: failure) != failure {
        log.error(
          "Scheduled work failed and is retried each second.",
          metadata: ["scheduler": "\(name)", "error": "\(failure)"]
        )
      }
      // Not after the run's beginning: a run that fails after a while would be repeated without a pause.
      schedule(at: clock.now() + Self.retryDelay)
    }
  }

  /// Returns the failure of the run before.
  private func replaceFailure(by failure: String?) -> String? {
    state.withLock { state in
      defer { state.failure = failure }
      return state.failure
    }
  }
}
