import Logging
import Storage
import Synchronization

/// Makes reminders due when their time comes, and at the start those whose time came while nobody was there.
///
/// It sleeps until the earliest time there is, and is told of each new one: nothing is looked for in between. What it knows
/// can be lost, because the data has it: after each write it asks for the next.
final class ReminderScheduler: Sendable {
  private struct State {
    /// The moment that is slept for; nil while there is none.
    var next: Int64?
    var sleeper: Task<Void, Never>?
    var isStopped = false
  }

  /// How many become due in one write, so that others do not wait long for theirs.
  static let maximumAtOnce: Int64 = 1_000
  /// Milliseconds after which a write that failed is tried again.
  static let patience: Int64 = 1_000

  static let markDue = SQL(
    """
    UPDATE reminder SET status = 1, delivered_at = ?1 WHERE (family_id, id) IN (\
    SELECT family_id, id FROM reminder INDEXED BY reminder_scheduled WHERE status = 0 AND remind_at <= ?1 \
    ORDER BY remind_at LIMIT ?2) RETURNING family_id, id
    """
  )
  static let earliest = SQL(
    """
    SELECT remind_at FROM reminder INDEXED BY reminder_scheduled WHERE status = 0 AND remind_at > 0 \
    ORDER BY remind_at LIMIT 1
    """
  )

  private let database: Database
  private let clock: Clock
  private let log: Logger
  private let state = Mutex(State())

  init(_ database: Database, clock: Clock, log: Logger) {
    self.database = database
    self.clock = clock
    self.log = log
  }

  func start() { schedule(at: clock.now()) }

  /// Nothing becomes due after this, until the next start.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.sleeper?.cancel()
      state.sleeper = nil
    }
  }

  /// Says that a reminder has this time. Called from any thread; hands over and returns.
  func schedule(at moment: Int64) {
    state.withLock { state in
      guard !state.isStopped, moment < state.next ?? .max else { return }
      state.next = moment
      state.sleeper?.cancel()
      state.sleeper = Task { [self] in
        do { try await clock.sleep(until: moment) } catch { return }
        wake(from: moment)
        await markThoseDue()
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

  private func markThoseDue() async {
    let now = clock.now()
    do {
      let next = try await database.write { transaction in
        let marking = try transaction.statement(Self.markDue)
        try marking.bind(1, now)
        try marking.bind(2, Self.maximumAtOnce)
        var due: [(family: GlobalID, reminder: GlobalID)] = []
        try marking.forEachRow { row in
          due.append((GlobalID(rawValue: row.int64(0)), GlobalID(rawValue: row.int64(1))))
        }
        for (family, reminder) in due {
          try Notifications.tellParents(of: family, .reminderNotification, of: reminder, at: now, transaction)
        }
        return try transaction.statement(Self.earliest).first { row in row.int64(0) }
      }
      if let next { schedule(at: next) }
    } catch let error as DatabaseError where error.code == .closed {
      return
    } catch {
      log.error("Reminders could not be made due.", metadata: ["error": "\(error)"])
      schedule(at: now + Self.patience)
    }
  }
}
