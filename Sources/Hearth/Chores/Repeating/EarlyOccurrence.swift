import Storage

/// An occurrence of the current period whose next one has a reminder before its own period, such as "Sunday evening"
/// for a chore of Monday. The next occurrence is copied when that reminder is due, so that it is not late.
struct EarlyOccurrence {
  typealias Parameters = (family: GlobalID, frequency: Frequency, period: String, latest: Timestamp)
  typealias ChoreParameters = (family: GlobalID, chore: GlobalID, period: String, latest: Timestamp)

  /// The columns of a chore as `c`, and of a reminder of it as `r`.
  static let columns = """
    \(NextOccurrence.Source.columns), r.id, coalesce(r.snoozed_from, r.remind_at), r.planned_at
    """

  /// Reminders of occurrences of a period until `latest`.
  static let reminders = SQL<Parameters>(
    """
    SELECT \(sql: columns) FROM chore AS c \(index: "chore_repeating") \
    \(join: .asWritten) reminder AS r \(index: "reminder_by_chore") \
    ON r.family_id = c.family_id AND r.chore_id = c.id \
    WHERE c.repeats = 1 AND c.family_id = \(\.family) AND c.frequency = \(\.frequency) \
    AND \(orEmpty: "c.period") = \(\.period) AND coalesce(r.planned_at, r.remind_at) < \(\.latest) ORDER BY c.id
    """
  )
  /// The same of one chore.
  static let remindersOfChore = SQL<ChoreParameters>(
    """
    SELECT \(sql: columns) FROM chore AS c \
    \(join: .asWritten) reminder AS r \(index: "reminder_by_chore") \
    ON r.family_id = c.family_id AND r.chore_id = c.id \
    WHERE c.family_id = \(\.family) AND c.id = \(\.chore) AND c.repeats = 1 \
    AND c.period = \(\.period) AND coalesce(r.planned_at, r.remind_at) < \(\.latest)
    """
  )

  let source: NextOccurrence.Source
  /// When its first reminder is due.
  let copiedAt: Int64

  /// The occurrences of a family whose next ones are copied before the period after `period`, in the order of their
  /// keys. Stops at `limit` of those that are copied by `now`: a turn reads on after it has copied them.
  static func all(
    of family: GlobalID,
    _ frequency: Frequency,
    in period: Period,
    _ clock: WallClock,
    at now: Int64,
    limit: Int64,
    from reader: Reader
  ) throws -> [EarlyOccurrence] {
    let search = Search(in: period, clock)
    let parameters: Parameters = (
      family: family, frequency: frequency, period: period.label, latest: Timestamp(search.latest)
    )
    var found: [EarlyOccurrence] = []
    var rest = limit
    try reader.statement(reminders, parameters).readRows { row in
      guard let early = search.occurrence(row) else { return true }
      let isDue = early.copiedAt <= now
      if let last = found.last, last.source.key == early.source.key {
        if isDue, last.copiedAt > now { rest -= 1 }
        if early.copiedAt < last.copiedAt { found[found.count - 1] = early }
      } else {
        if isDue { rest -= 1 }
        found.append(early)
      }
      return rest > 0
    }
    return found
  }

  /// When the next occurrence of a chore of `period` is copied. Nil if that is not before the next period.
  static func copyTime(
    _ chore: GlobalID,
    of family: GlobalID,
    during period: Period,
    _ clock: WallClock,
    from reader: Reader
  ) throws -> Int64? {
    let search = Search(in: period, clock)
    let parameters: ChoreParameters = (
      family: family, chore: chore, period: period.label, latest: Timestamp(search.latest)
    )
    let found = try reader.all(of: remindersOfChore, parameters) { row in search.occurrence(row) }
    return found.compactMap { $0?.copiedAt }.min()
  }

  /// How the early occurrences of a period are found.
  private struct Search {
    let next: Period
    let span: Range<Int64>
    let latest: Int64
    let clock: WallClock

    init(in period: Period, _ clock: WallClock) {
      self.clock = clock
      next = period.next
      span = clock.moment(of: period.first)..<clock.moment(of: next.first)
      // A shorter month, or another time zone, can move a reminder of the first days before the next period.
      latest = clock.moment(of: period.first + (period.unit == .month ? 5 : 1))
    }

    /// - Parameter row: a reminder, with columns as those of `reminders`.
    func occurrence(_ row: Row) -> EarlyOccurrence? {
      let source = NextOccurrence.Source(row)
      let shift = ReminderShift(from: source, to: next, clock)
      let remindAt = shift.moved(ReminderShift.Original(row, from: 7)).remindAt
      return span.contains(remindAt) ? EarlyOccurrence(source: source, copiedAt: remindAt) : nil
    }
  }
}
