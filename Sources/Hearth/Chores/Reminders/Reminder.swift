import Storage

/// A row of `reminder`.
struct Reminder: StoredRow {
  var family: GlobalID
  var id: GlobalID
  var chore: GlobalID
  var remindAt: Timestamp
  var status = ReminderStatus.scheduled
  var deliveredAt: Timestamp?
  var answeredBy: GlobalID?
  /// The time from which the next copy is computed, of a reminder that is due at another one: it was snoozed, the month
  /// is too short, clocks skip its time, it does not count from the due time on one of the last days of a month, or the
  /// family's time zone has changed since.
  var plannedAt: Timestamp?
  /// The feed position at which the reminder became due.
  var duePosition: Int64?
  /// The time for which a snoozed reminder was set. Nil until it is snoozed.
  var snoozedFrom: Timestamp?

  static let table = Table<Reminder>(
    "reminder",
    [
      Column("family_id", \.family),
      Column("id", \.id),
      Column("chore_id", \.chore),
      Column("remind_at", \.remindAt),
      Column("status", \.status),
      Column("delivered_at", \.deliveredAt),
      Column("answered_by", \.answeredBy),
      Column("planned_at", \.plannedAt),
      Column("due_position", \.duePosition),
      Column("snoozed_from", \.snoozedFrom),
    ]
  )
}
