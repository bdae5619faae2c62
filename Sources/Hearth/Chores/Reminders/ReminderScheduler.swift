import Basics
import Logging
import Storage

/// Makes reminders due at their time. Reminders of chores that are not open any more do not become due.
enum ReminderScheduler {
  /// The number of reminders that become due in one write, so that other writes do not wait long.
  static let maximumAtOnce: Int64 = 1_000
  /// The same on PostgreSQL, where the write is repeated when that of another process changes one of the families. With
  /// 200, a backlog is worked off in a sixth less time, and other writes wait four times as long.
  private static let maximumAtOnceWaiting: Int64 = 50

  static let earliest = SQL<Void>(
    """
    SELECT remind_at FROM reminder \(index: "reminder_scheduled") \
    WHERE status = \(ReminderStatus.scheduled) AND remind_at > 0 ORDER BY remind_at LIMIT 1
    """
  )

  static let service = FeatureService("reminders") { services in
    let lateness = services.reminderLateness
    return Scheduler(
      "reminders",
      leases: services.leases,
      dueTimes: [earliest],
      database: services.database,
      clock: services.clock,
      log: services.log
    ) { now, transaction in
      let limit = transaction.waitsForRows ? maximumAtOnceWaiting : maximumAtOnce
      let due = try DueReminders(at: now, atMost: limit, in: transaction)
      let times = due.times
      transaction.afterCommit {
        for time in times { lateness.record(nanoseconds: UInt64(max(0, now - time)) * 1_000_000) }
      }
      try due.record(in: transaction)
      if due.isCutOff { return now }
      return try transaction.reader.first(of: earliest, ()) { row in row.int64(0) }
    }
  }
}

extension Services {
  /// Makes reminders due.
  var reminders: Scheduler { self[ReminderScheduler.service] }
}
