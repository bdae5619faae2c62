import Logging
import Storage
import Synchronization

/// Tells whether the wall clock can be relied on for what cannot be undone: erasures, removals of parents, and sweeps.
///
/// They wait until the clock is settled: the process has run for some time in which the clock was not set. A clock that
/// is wrong for seconds, or until it is synchronized for the first time, therefore has no effect. When the clock is
/// settled after it was set forward, the deadlines that this process has set before are moved on, so that the step is
/// not a part of their waiting time.
final class ClockWatch: Sendable {
  /// What a look at the clock shows.
  struct Look: Sendable {
    let now: Int64
    /// When the clock can be settled; nil if it is.
    let settlesAt: Int64?
  }

  private struct State {
    /// Nil for a clock that is never set.
    var steps: ClockSteps?
    /// Whether a step was logged after which the clock is not settled yet.
    var isReported = false

    /// Milliseconds until the clock can be settled; nil if it is.
    var delay: Int64? {
      guard let steps else { return nil }
      if steps.wait > 0 { return steps.wait }
      return steps.moves.isEmpty ? nil : ClockWatch.retryDelay
    }
  }

  /// The longest time between two looks.
  private static let interval: Int64 = Milliseconds.minute
  /// The time between two looks while deadlines have to be moved.
  private static let retryDelay: Int64 = 1_000

  private let clock: Clock
  private let leases: Leases
  private let database: Database
  private let deadlines: [MovableDeadlines]
  private let log: Logger
  private let state: Mutex<State>
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ deadlines: [MovableDeadlines], in environment: WorkEnvironment) {
    let clock = environment.clock
    self.deadlines = deadlines
    self.clock = clock
    leases = environment.leases
    database = environment.database
    log = environment.log
    let steps = clock.settling.map { settling in
      ClockSteps(Self.read(clock, by: settling), settlingTime: settling.length)
    }
    state = Mutex(State(steps: steps))
  }

  func start() {
    guard clock.settling != nil else { return }
    task.withLock { $0 = Task { [self] in await run() } }
  }

  /// Returns when nothing is written any more.
  func stop() async {
    let task = task.withLock { $0 }
    task?.cancel()
    await task?.value
  }

  /// Looks at the clock. What is done then must be due at the time that is returned, and not at one that was read
  /// before, since the clock can have been wrong at that moment.
  func look() -> Look {
    guard let settling = clock.settling else { return Look(now: clock.now(), settlesAt: nil) }
    // Read under the lock: readings must be compared in their order.
    let (look, step) = state.withLock { state in
      let reading = Self.read(clock, by: settling)
      let step = state.steps?.note(reading)
      if step != nil { state.isReported = true }
      return (Look(now: reading.time, settlesAt: state.delay.map { reading.time + $0 }), step)
    }
    if let step { report(step, settlingTime: settling.length) }
    return look
  }

  private static func read(_ clock: Clock, by settling: Clock.Settling) -> ClockSteps.Reading {
    var before = settling.elapsed()
    while true {
      let (time, after) = (clock.now(), settling.elapsed())
      // The thread can be suspended in between.
      if after - before <= 1_000 { return ClockSteps.Reading(time: time, elapsed: after) }
      before = after
    }
  }

  private func report(_ step: Int64, settlingTime: Int64) {
    log.warning(
      """
      The clock was set \(step > 0 ? "forward" : "back"). Erasures, removals of parents and the deletion of expired \
      data wait until it has not been set for \(settlingTime / Milliseconds.minute) minutes.
      """,
      metadata: ["seconds": "\(abs(step) / 1_000)"]
    )
  }

  // MARK: Moving deadlines

  private func run() async {
    var hasFailed = false
    while !Task.isCancelled {
      let seen = look()
      do {
        try await moveDeadlines(at: seen.now)
        hasFailed = false
      } catch let error as DatabaseError where error.code == .closed {
        return
      } catch {
        if !hasFailed { log.error("Deadlines could not be moved.", metadata: ["error": "\(error)"]) }
        hasFailed = true
      }
      let latest = seen.now + Self.interval
      do { try await clock.sleep(until: min(seen.settlesAt ?? latest, latest), since: seen.now) } catch { return }
    }
  }

  /// Moves the deadlines if the clock is settled.
  private func moveDeadlines(at now: Int64) async throws {
    guard let steps = state.withLock({ $0.isReported ? $0.steps : nil }), steps.wait == 0 else { return }
    let moves = steps.moves
    // A process without the lease leaves it to the one that has it: of those on one machine, each sees the step.
    let kinds = deadlines.filter { leases.holds($0.lease) }
    var count = 0
    if !moves.isEmpty && !kinds.isEmpty {
      count = try await database.write { transaction in
        let write = DatedWrite(at: Timestamp(now), in: transaction)
        var count = 0
        for kind in kinds {
          for move in moves { count += try kind.move(move, write) }
        }
        return count
      }
    }
    let isSettled = state.withLock { state in
      state.steps?.didMove(to: steps.offset)
      // The clock can have been set again meanwhile.
      state.isReported = state.steps?.wait != 0
      return !state.isReported
    }
    if count > 0 {
      log.notice("Deadlines that were set before the clock was set forward are moved.", metadata: ["count": "\(count)"])
    }
    if isSettled { log.notice("The clock was not set again: erasures and removals of parents continue.") }
  }
}
