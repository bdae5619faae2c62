import Logging
import Storage
import Synchronization

/// Does in the data what time has made due, and at the start what became due while nobody was there.
///
/// It sleeps until the earliest moment there is, and is told of each new one: nothing is looked for in between. What it
/// knows can be lost, because the data has it: each time the work says what comes next.
final class Scheduler: Sendable {
  /// Does a bounded part of what is due, and says when there is more to do: now, where it left something. Others'
  /// writes come between two parts.
  typealias Work = @Sendable (_ now: Int64, WriteTransaction) throws -> Int64?

  private struct State {
    /// The moment that is slept for; nil while there is none.
    var next: Int64?
    var sleeper: Task<Void, Never>?
    var isStopped = false
  }

  /// Milliseconds after which work that failed is tried again.
  static let patience: Int64 = 1_000

  private let name: String
  private let database: Database
  private let clock: Clock
  private let log: Logger
  private let work: Work
  private let state = Mutex(State())

  /// `name` is for the log.
  init(_ name: String, _ database: Database, clock: Clock, log: Logger, work: @escaping Work) {
    self.name = name
    self.database = database
    self.clock = clock
    self.log = log
    self.work = work
  }

  func start() { schedule(at: clock.now()) }

  /// Nothing is done after this, until the next start.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.sleeper?.cancel()
      state.sleeper = nil
    }
  }

  /// Says that something becomes due at this moment. Called from any thread; hands over and returns.
  func schedule(at moment: Int64) {
    state.withLock { state in
      guard !state.isStopped, moment < state.next ?? .max else { return }
      state.next = moment
      state.sleeper?.cancel()
      state.sleeper = Task { [self] in
        do { try await clock.sleep(until: moment) } catch { return }
        wake(from: moment)
        await doWhatIsDue()
      }
    }
  }

  /// From here on whatever comes is slept for anew. Another moment than ours was set since, and has its own sleeper.
  private func wake(from moment: Int64) {
    state.withLock { state in
      guard state.next == moment else { return }
      state.next = nil
      state.sleeper = nil
    }
  }

  private func doWhatIsDue() async {
    let now = clock.now()
    let work = work
    do {
      let next = try await database.write { transaction in try work(now, transaction) }
      if let next { schedule(at: next) }
    } catch let error as DatabaseError where error.code == .closed {
      return
    } catch {
      log.error("What is due could not be done.", metadata: ["scheduler": "\(name)", "error": "\(error)"])
      schedule(at: now + Self.patience)
    }
  }
}
