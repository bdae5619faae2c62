import Storage

/// An occurrence of the current period whose next one has a reminder before its own period, such as "Sunday evening"
/// for a chore of Monday. The next occurrence is copied when that reminder is due, so that it is not late.
struct EarlyOccurrence {
  typealias Parameters = (family: GlobalID, frequency: Frequency, period: String, latest: Timestamp)

  /// Reminders of occurrences of a period until `latest`.
  static let reminders = SQL<Parameters>(
    """
    SELECT c.id, c.due_at, c.period, c.due_day, c.due_time, c.series_id, c.copied_from, \
    r.id, r.remind_at, r.planned_at FROM chore AS c \(index: "chore_repeating") \
    \(join: .asWritten) reminder AS r \(index: "reminder_by_chore") \
    ON r.family_id = c.family_id AND r.chore_id = c.id \
    WHERE c.repeats = 1 AND c.family_id = \(\.family) AND c.frequency = \(\.frequency) \
    AND \(orEmpty: "c.period") = \(\.period) AND coalesce(r.planned_at, r.remind_at) < \(\.latest) ORDER BY c.id
    """
  )

  let source: NextOccurrence.Source
  /// When its first reminder is due.
  let copiedAt: Int64

  /// The occurrences of a family whose next ones are copied before the period after `period`, in the order of their
  /// keys.
  static func all(
    of family: GlobalID,
    _ frequency: Frequency,
    in period: Period,
    _ clock: WallClock,
    in transaction: WriteTransaction
  ) throws -> [EarlyOccurrence] {
    let next = period.next
    let (start, end) = (clock.moment(of: period.first), clock.moment(of: next.first))
    // A shorter month, or another time zone, can move a reminder of the first days before the next period.
    let latest = clock.moment(of: period.first + (period.unit == .month ? 5 : 1))
    let parameters: Parameters = (
      family: family, frequency: frequency, period: period.label, latest: Timestamp(latest)
    )
    var found: [EarlyOccurrence] = []
    try transaction.reader.forEachRow(of: reminders, parameters) { row in
      let source = NextOccurrence.Source(row)
      let shift = ReminderShift(from: source, to: next, dueAt: source.dueSlot?.dueAt(in: next, clock), clock)
      let reminder = ReminderShift.Original(row, from: 7)
      let remindAt = shift.moved(reminder).remindAt
      guard start <= remindAt, remindAt < end else { return }
      if let last = found.last, last.source.key == source.key {
        found[found.count - 1] = EarlyOccurrence(source: source, copiedAt: min(last.copiedAt, remindAt))
      } else {
        found.append(EarlyOccurrence(source: source, copiedAt: remindAt))
      }
    }
    return found
  }
}
