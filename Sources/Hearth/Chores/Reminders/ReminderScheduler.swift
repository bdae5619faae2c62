import Basics
import Storage

/// Makes reminders due at their time. Reminders of chores that are not open any more do not become due.
///
/// The turn of a family's period can archive the chore of a reminder. When both are due, as after an outage over
/// midnight, the reminder waits for the turn.
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
    let (lateness, turnWait) = (services.reminderLateness, TurnWait())
    return Scheduler("reminders", in: services.work, dueTimes: [earliest]) { write in
      let now = write.now.milliseconds
      let limit = write.transaction.waitsForRows ? maximumAtOnceWaiting : maximumAtOnce
      let turn = try write.reader.number(of: PeriodTurn.earliest, ())
      let waits = turnWait.waits(for: turn, at: now)
      let due = try DueReminders(waitsForTurns: waits, atMost: limit, in: write)
      let times = due.times
      write.transaction.afterCommit {
        for time in times { lateness.record(nanoseconds: UInt64(max(0, now - time)) * 1_000_000) }
      }
      try due.record(in: write)
      if due.isCutOff { return now }
      let next = try write.reader.number(of: earliest, ())
      // `PeriodTurn` schedules those that wait, unless another process performs the turns.
      if waits, let next, next <= now { return now + Scheduler.retryDelay }
      return next
    }
  }
}

extension Services {
  /// Makes reminders due.
  var reminders: Scheduler { self[ReminderScheduler.service] }
}
