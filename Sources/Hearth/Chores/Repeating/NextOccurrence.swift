import Storage

/// An occurrence of a repeating chore in a later period: an open copy of the newest occurrence, due at the same point
/// of its period, assigned to those of its members who are still in the family, with its reminders.
enum NextOccurrence {
  typealias SourcesQuery = (family: GlobalID, frequency: Frequency, period: String, limit: Int64)
  typealias SourcesAheadQuery = (
    family: GlobalID, frequency: Frequency, period: String, now: Timestamp, limit: Int64
  )
  typealias CopyParameters = (
    family: GlobalID, source: GlobalID, id: GlobalID, dueAt: Timestamp?, period: String, assignees: KeyList,
    now: Timestamp
  )
  typealias Occurrence = (family: GlobalID, series: Int64, period: String, frequency: Frequency)

  /// Repeating chores of an earlier period.
  static let sources = SQL<SourcesQuery>(
    """
    SELECT \(sql: Source.columns) FROM chore AS c \(index: "chore_repeating") \
    WHERE repeats = 1 AND family_id = \(\.family) AND frequency = \(\.frequency) \
    AND \(orEmpty: "period") < \(\.period)\(order: "id") LIMIT \(\.limit)
    """
  )
  /// Copies made while the clock was wrong and ahead: they were created at a time that is still in the future, for a
  /// period after `period`, the next one. Chores that users scheduled for such periods were created earlier.
  static let sourcesAhead = SQL<SourcesAheadQuery>(
    """
    SELECT \(sql: Source.columns) FROM chore AS c \(index: "chore_repeating") \
    WHERE repeats = 1 AND family_id = \(\.family) AND frequency = \(\.frequency) \
    AND \(orEmpty: "period") > \(\.period) AND created_at > \(\.now)\(order: "id") LIMIT \(\.limit)
    """
  )
  /// A copy has all values of its source, except those that belong to one occurrence.
  static let insert: SQL<CopyParameters> = Chore.table.copy(
    [
      .replacing(\.id, with: "\(\.id)"),
      .replacing(\.dueAt, with: "\(\.dueAt)"),
      .replacing(\.period, with: "\(\.period)"),
      .replacing(\.copiedFrom, with: "id"),
      .replacing(\.assignees, with: "\(\.assignees)"),
      .replacing(\.createdAt, with: "\(\.now)"),
      .replacing(\.updatedAt, with: "\(\.now)"),
      .replacing(\.removedAt, with: "NULL"),
      .replacing(\.repeats, with: "1"),
    ] + Chore.unstarted(),
    where: """
      family_id = \(\.family) AND id = \(\.source) \
      ON CONFLICT (family_id, series_id, period) WHERE series_id IS NOT NULL DO NOTHING
      """
  )
  static let resume = SQL<Occurrence>(
    """
    UPDATE chore SET repeats = 1 WHERE family_id = \(\.family) AND series_id = \(\.series) \
    AND period = \(\.period) AND frequency = \(\.frequency) AND removed_at IS NULL
    """
  )
  static let remindersOf = SQL<ChoreKey>(
    """
    SELECT id, coalesce(snoozed_from, remind_at), planned_at FROM reminder \
    WHERE family_id = \(\.family) AND chore_id = \(\.chore) ORDER BY remind_at, id
    """
  )

  /// The occurrence that a copy is made from.
  struct Source {
    /// The columns of a chore as `c`.
    static let columns = "c.id, c.due_at, c.period, c.due_day, c.due_time, c.series_id, c.copied_from"

    let key: GlobalID
    let dueAt: Int64?
    /// Nil only before the first turn after the data was migrated to this version.
    let period: String?
    let dueSlot: DueSlot?
    let series: Int64
    /// Whether it was itself copied from an earlier occurrence.
    let isCopy: Bool

    static func all(
      of family: GlobalID,
      _ frequency: Frequency,
      before period: Period,
      limit: Int64,
      from reader: Reader
    ) throws -> [Source] {
      try reader.all(
        of: NextOccurrence.sources,
        (family: family, frequency: frequency, period: period.label, limit: limit),
        Source.init
      )
    }

    static func allAhead(
      of family: GlobalID,
      _ frequency: Frequency,
      after period: Period,
      at now: Int64,
      limit: Int64,
      from reader: Reader
    ) throws -> [Source] {
      try reader.all(
        of: sourcesAhead,
        (family: family, frequency: frequency, period: period.label, now: Timestamp(now), limit: limit),
        Source.init
      )
    }

    /// - Parameter row: begins with `columns`.
    init(_ row: Row) {
      key = row.key(0)
      dueAt = row.optionalInt64(1)
      period = row.optionalString(2)
      dueSlot = row.optionalInt64(3).map { day in DueSlot(day: day, time: row.int64(4)) }
      series = row.int64(5)
      isCopy = row.optionalInt64(6) != nil
    }
  }

  /// What `copy` has written.
  struct Copy {
    /// Nil when the series already has an occurrence in the period. The next copy is then made from that occurrence.
    var key: GlobalID?
    /// See `PeriodTurn.cost`.
    var cost: Int64 = 1
  }

  /// - Parameter members: those of the family (`FamilyMember.keys`), to whom the copy can be assigned.
  static func copy(
    _ source: Source,
    frequency: Frequency,
    to period: Period,
    _ clock: WallClock,
    members: Set<GlobalID>,
    reminders: Scheduler,
    in write: FamilyWrite
  ) throws -> Copy {
    let key = try KeySequence.next(.chore, in: write.transaction)
    let dueAt = source.dueSlot?.dueAt(in: period, clock)
    let assignees = try Assignment.members(assignedTo: source.key, of: write.family, from: write.reader)
      .filter(members.contains)
    let copy: CopyParameters = (
      family: write.family, source: source.key, id: key, dueAt: dueAt.map(Timestamp.init), period: period.label,
      assignees: KeyList(assignees), now: write.now
    )
    try write.transaction.run(insert, copy)
    let isNew = write.transaction.changedRows > 0
    try write.transaction.run(Repetition.end, (family: write.family, chore: source.key))
    guard isNew else {
      try write.transaction.run(
        resume,
        (family: write.family, series: source.series, period: period.label, frequency: frequency)
      )
      return Copy()
    }
    for member in assignees { try Assignment.insert(member, of: key, in: write) }
    let shift = ReminderShift(from: source, to: period, clock)
    let originals = try originals(source.key, of: write.family, from: write.reader)
    for reminder in originals {
      let time = shift.moved(reminder)
      let plannedAt = time.planned == time.remindAt ? nil : Timestamp(time.planned)
      try Reminder.insert(time.remindAt, plannedAt: plannedAt, of: key, reminders: reminders, in: write)
    }
    write.record(.choreChanged, subject: key)
    return Copy(key: key, cost: PeriodTurn.cost(ofRows: assignees.count + originals.count))
  }

  private static func originals(
    _ chore: GlobalID,
    of family: GlobalID,
    from reader: Reader
  ) throws -> [ReminderShift.Original] {
    try reader.all(of: remindersOf, (family: family, chore: chore)) { row in
      ReminderShift.Original(row, from: 0)
    }
  }
}
