import Storage

/// Moves the reminders of repeating chores into a new time zone. Without a due time, their copies are computed from
/// their own times, which therefore keep their day and time of day. Those of chores with a due time keep their distance
/// from it (see `DueSlot`). The current reminders become due when they would have, as current chores are due.
enum ReminderZone {
  static let planned = SQL<GlobalID>(
    """
    SELECT r.id, coalesce(r.planned_at, r.remind_at) FROM chore AS c \(index: "chore_repeating") \
    \(join: .asWritten) reminder AS r \(index: "reminder_by_chore") ON r.family_id = c.family_id AND r.chore_id = c.id \
    WHERE c.repeats = 1 AND c.family_id = \(\.self) AND c.due_day IS NULL
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
      (key: row.key(0), planned: row.int64(1))
    }
    for (key, planned) in reminders {
      let moved = new.moment(of: old.day(at: planned), old.time(at: planned))
      try write.transaction.run(setPlanned, (family: write.family, reminder: key, planned: Timestamp(moved)))
    }
  }
}
