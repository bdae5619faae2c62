import Storage

/// Moves the reminders of repeating chores into a new time zone. Their copies keep the day and time of day for which
/// they were set. The current reminders become due when they would have, as current chores are due.
enum ReminderZone {
  static let planned = SQL<GlobalID>(
    """
    SELECT \(sql: EarlyOccurrence.columns), c.frequency FROM chore AS c \(index: "chore_repeating") \
    \(join: .asWritten) reminder AS r \(index: "reminder_by_chore") ON r.family_id = c.family_id AND r.chore_id = c.id \
    WHERE c.repeats = 1 AND c.family_id = \(\.self)
    """
  )
  static let setPlanned = SQL<(family: GlobalID, reminder: GlobalID, planned: Timestamp)>(
    """
    UPDATE reminder SET planned_at = \(\.planned) WHERE family_id = \(\.family) AND id = \(\.reminder)
    """
  )

  /// Must precede the change of the family's row, or the merge with a family in that time zone.
  static func change(to timeZone: String, in write: FamilyWrite) throws {
    guard let before = try FamilyTimeZone.name(of: write.family, from: write.reader), before != timeZone else { return }
    let (old, new) = (WallClock(before), WallClock(timeZone))
    let reminders = try write.reader.all(of: planned, write.family) { row in
      (NextOccurrence.Source(row), ReminderShift.Original(row, from: 7), Frequency(stored: row.int64(10)))
    }
    for (source, reminder, frequency) in reminders {
      guard let unit = frequency?.unit else { continue }
      let (before, after) = (ReminderClock(of: source, each: unit, old), ReminderClock(of: source, each: unit, new))
      let moved = after.planned(reminder, asIn: before)
      guard moved != reminder.plannedAt ?? reminder.remindAt else { continue }
      try write.transaction.run(setPlanned, (family: write.family, reminder: reminder.key, planned: Timestamp(moved)))
    }
  }
}
