import Logging
import Storage
import Synchronization

/// Deletes expired rows, or ends what they stand for, with the sweeps that the features declare: once an hour, in
/// batches, so that no other write waits long. Of several processes, the one with the lease does. It waits until the
/// clock is settled.
final class Sweeper: Sendable {
  /// How long expired rows are kept, in milliseconds. Within this time clients receive an error that says "expired"
  /// rather than "not found".
  static let retention: Int64 = 30 * Milliseconds.day
  static let maximumAtOnce: Int64 = 500
  /// The parameters of a sweep: it deletes at most `limit` rows that expired before a time.
  typealias Portion = (before: Timestamp, limit: Int64)
  private static let interval: Int64 = Milliseconds.hour
  private static let lease = "sweep"

  private let leases: Leases
  private let database: Database
  private let sweeps: [Sweep]
  private let clock: Clock
  /// Nil for a clock that is never set.
  private let clockWatch: ClockWatch?
  private let log: Logger
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ sweeps: [Sweep], in environment: WorkEnvironment, clockWatch: ClockWatch? = nil) {
    self.sweeps = sweeps
    self.clockWatch = clockWatch
    leases = environment.leases
    database = environment.database
    clock = environment.clock
    log = environment.log
    // The process that gets the lease sweeps at its own next full hour.
    leases.add(Leases.Work(name: Self.lease, dueTimes: []) { _ in })
  }

  func start() {
    task.withLock { task in
      task = Task {
        while !Task.isCancelled {
          let seen = clockWatch?.look() ?? ClockWatch.Look(now: clock.now(), settlesAt: nil)
          if seen.settlesAt == nil, leases.holds(Self.lease) { await sweep(at: seen.now) }
          let next = seen.settlesAt ?? seen.now + Self.interval
          do { try await clock.sleep(until: next, since: seen.now) } catch { return }
        }
      }
    }
  }

  /// Returns when the sweeper has stopped.
  func stop() async {
    let task = task.withLock { $0 }
    task?.cancel()
    await task?.value
  }

  private func sweep(at now: Int64) async {
    do {
      for sweep in sweeps {
        var isDone = false
        while !isDone && !Task.isCancelled {
          isDone = try await database.write { transaction in
            let portion: Portion = (before: Timestamp(now - sweep.age), limit: Self.maximumAtOnce)
            return try sweep.step(portion, transaction) < Self.maximumAtOnce
          }
        }
      }
      // A clock that was set back for some time must not refill the buckets.
      try await database.sharedRates?.sweep(before: now - Self.interval)
    } catch let error as DatabaseError where error.code == .closed {
      return
    } catch {
      log.error("Expired rows could not be deleted.", metadata: ["error": "\(error)"])
    }
  }
}
