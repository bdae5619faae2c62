import Basics
import Logging
import Storage

/// Makes reminders due at their time. Reminders of chores that are not open any more do not become due.
enum ReminderScheduler {
  /// The number of reminders that become due in one write, so that other writes do not wait long.
  static let maximumAtOnce: Int64 = 1_000
  /// The same on PostgreSQL, where the write waits for a round trip or more for each of them, and is repeated when the
  /// write of another process changes one of the families.
  private static let maximumAtOnceWaiting: Int64 = 50

  static let markDue = SQL<(now: Timestamp, limit: Int64)>(
    """
    UPDATE reminder SET (status, delivered_at) = (\
    SELECT CASE WHEN c.status = \(ChoreStatus.open) THEN \(ReminderStatus.due) ELSE \(ReminderStatus.ignored) END, \
    CASE WHEN c.status = \(ChoreStatus.open) THEN \(\.now) END FROM chore AS c \
    WHERE c.family_id = reminder.family_id AND c.id = reminder.chore_id) WHERE (family_id, id) IN (\
    SELECT family_id, id FROM reminder \(index: "reminder_scheduled") \
    WHERE status = \(ReminderStatus.scheduled) AND remind_at <= \(\.now) ORDER BY remind_at LIMIT \(\.limit)) \
    RETURNING family_id, id, chore_id, status, remind_at
    """
  )
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
    ) {
      now,
      transaction in
      var times: [Int64] = []
      var due: [(family: GlobalID, reminder: GlobalID, chore: GlobalID)] = []
      let limit = transaction.waitsForRows ? maximumAtOnceWaiting : maximumAtOnce
      try transaction.reader.forEachRow(of: markDue, (now: Timestamp(now), limit: limit)) { row in
        guard row.int64(3) == ReminderStatus.due.stored else { return }
        due.append(
          (GlobalID(rawValue: row.int64(0)), GlobalID(rawValue: row.int64(1)), GlobalID(rawValue: row.int64(2)))
        )
        times.append(row.int64(4))
      }
      let lateTimes = times
      transaction.afterCommit {
        for time in lateTimes { lateness.record(nanoseconds: UInt64(max(0, now - time)) * 1_000_000) }
      }
      var parentsOfFamilies: [GlobalID: [GlobalID]] = [:]
      for (family, reminder, chore) in due {
        let parents = try parentsOfFamilies[family] ?? Notifications.parents(of: family, in: transaction)
        parentsOfFamilies[family] = parents
        try ReminderDue.record(
          reminder,
          of: chore,
          in: family,
          parents: parents,
          now: now,
          transaction: transaction
        )
        for parent in parents {
          try Notifications.notify(
            parent,
            of: family,
            kind: .reminderNotification,
            about: reminder,
            by: nil,
            at: now,
            in: transaction
          )
        }
      }
      return try transaction.reader.first(of: earliest, ()) { row in row.int64(0) }
    }
  }
}

extension Services {
  /// Makes reminders due.
  var reminders: Scheduler { self[ReminderScheduler.service] }
}
