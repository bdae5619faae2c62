import Logging
import Storage

/// Makes reminders due when their time comes.
enum ReminderScheduler {
  /// How many become due in one write, so that others do not wait long for theirs.
  static let maximumAtOnce: Int64 = 1_000

  static let markDue = SQL(
    """
    UPDATE reminder SET status = 1, delivered_at = ?1 WHERE (family_id, id) IN (\
    SELECT family_id, id FROM reminder INDEXED BY reminder_scheduled WHERE status = 0 AND remind_at <= ?1 \
    ORDER BY remind_at LIMIT ?2) RETURNING family_id, id, chore_id
    """
  )
  static let earliest = SQL(
    """
    SELECT remind_at FROM reminder INDEXED BY reminder_scheduled WHERE status = 0 AND remind_at > 0 \
    ORDER BY remind_at LIMIT 1
    """
  )

  static func make(_ database: Database, clock: Clock, log: Logger) -> Scheduler {
    Scheduler("reminders", database, clock: clock, log: log) { now, transaction in
      let marking = try transaction.statement(markDue)
      try marking.bind(1, now)
      try marking.bind(2, maximumAtOnce)
      var due: [(family: GlobalID, reminder: GlobalID, chore: GlobalID)] = []
      try marking.forEachRow { row in
        due.append(
          (GlobalID(rawValue: row.int64(0)), GlobalID(rawValue: row.int64(1)), GlobalID(rawValue: row.int64(2)))
        )
      }
      for (family, reminder, chore) in due {
        try ReminderDue.record(reminder, of: chore, in: family, transaction)
        try Notifications.tellParents(of: family, .reminderNotification, of: reminder, at: now, transaction)
      }
      return try transaction.statement(earliest).first { row in row.int64(0) }
    }
  }
}
