import Storage

/// A repeating chore's occurrence in a later period: a copy of the newest there is, open, due at the same place of its
/// period, assigned to those who are still there, with its reminders.
enum NextOccurrence {
  /// What repeats and is of an earlier period: parameters 1 the family, 2 the frequency, 3 the period, 4 how many.
  static let sources = SQL(
    """
    SELECT id, due_at, period, due_day, due_time, series_id FROM chore INDEXED BY chore_repeating \
    WHERE repeats = 1 AND family_id = ?1 AND frequency = ?2 AND ifnull(period, '') < ?3 LIMIT ?4
    """
  )
  /// What a clock that was ahead by mistake has copied: it was made at a time that has not come, into a period after
  /// the next one, parameter 3. Parameter 4 is the time that it is. Chores that people want that late are older.
  static let sourcesAhead = SQL(
    """
    SELECT id, due_at, period, due_day, due_time, series_id FROM chore INDEXED BY chore_repeating \
    WHERE repeats = 1 AND family_id = ?1 AND frequency = ?2 AND ifnull(period, '') > ?3 AND created_at > ?4 LIMIT ?5
    """
  )
  static let insert = SQL(
    """
    INSERT INTO chore \
    (family_id, id, name, notes, priority, due_at, frequency, status, period, copied_from, assignees, created_by, \
    created_at, updated_at, name_key, image, series_id, repeats, due_day, due_time) \
    SELECT family_id, ?3, name, notes, priority, ?4, frequency, 0, ?5, id, ?6, created_by, ?7, ?7, name_key, image, series_id, \
    1, due_day, due_time FROM chore WHERE family_id = ?1 AND id = ?2 \
    ON CONFLICT (family_id, series_id, period) WHERE series_id IS NOT NULL DO NOTHING
    """
  )
  static let resume = SQL(
    """
    UPDATE chore SET repeats = 1 WHERE family_id = ?1 AND series_id = ?2 AND period = ?3 AND frequency = ?4 \
    AND removed_at IS NULL
    """
  )
  static let remindersOf = SQL(
    """
    SELECT ifnull(planned_at, remind_at) FROM reminder WHERE family_id = ?1 AND chore_id = ?2 ORDER BY remind_at, id
    """
  )
  static let insertReminder = SQL(
    """
    INSERT INTO reminder (family_id, id, chore_id, remind_at, status, planned_at) VALUES (?1, ?2, ?3, ?4, 0, ?5)
    """
  )

  /// What an occurrence is copied from.
  struct Source {
    let key: GlobalID
    let dueAt: Int64?
    /// Nil only before the first turn after the data was brought to this version.
    let period: String?
    let place: DuePlace?
    let series: Int64

    static func all(
      of family: GlobalID,
      _ frequency: Frequency,
      before period: Period,
      limit: Int64,
      _ transaction: WriteTransaction
    ) throws -> [Source] {
      let statement = try transaction.statement(NextOccurrence.sources)
      try statement.bind(1, family.rawValue)
      try statement.bind(2, frequency.stored)
      try statement.bind(3, period.label)
      try statement.bind(4, limit)
      return try sources(statement)
    }

    static func allAhead(
      of family: GlobalID,
      _ frequency: Frequency,
      after period: Period,
      at now: Int64,
      limit: Int64,
      _ transaction: WriteTransaction
    ) throws -> [Source] {
      let statement = try transaction.statement(sourcesAhead)
      try statement.bind(1, family.rawValue)
      try statement.bind(2, frequency.stored)
      try statement.bind(3, period.label)
      try statement.bind(4, now)
      try statement.bind(5, limit)
      return try sources(statement)
    }

    private static func sources(_ statement: Statement) throws -> [Source] {
      var sources: [Source] = []
      try statement.forEachRow { row in
        let day = row.optionalInt64(3)
        sources.append(
          Source(
            key: GlobalID(rawValue: row.int64(0)),
            dueAt: row.optionalInt64(1),
            period: row.isNull(2) ? nil : row.string(2),
            place: day.map { DuePlace(day: $0, time: row.int64(4)) },
            series: row.int64(5)
          )
        )
      }
      return sources
    }
  }

  /// Nil where the series has an occurrence in the period already: then that is what the next is made from.
  static func copy(
    _ source: Source,
    of family: GlobalID,
    _ frequency: Frequency,
    to period: Period,
    _ clock: WallClock,
    at now: Int64,
    reminders: Scheduler,
    _ transaction: WriteTransaction
  ) throws -> GlobalID? {
    let key = try KeySequence.next(.chore, transaction)
    let dueAt = source.place?.dueAt(in: period, clock)
    let assignees = try assignees(of: source.key, in: family, transaction)
    let statement = try transaction.statement(insert)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, source.key.rawValue)
    try statement.bind(3, key.rawValue)
    try statement.bind(4, dueAt)
    try statement.bind(5, period.label)
    try Assignees.bytes(of: assignees).withUnsafeBytes { try statement.bind(6, blob: $0) }
    try statement.bind(7, now)
    try statement.run()
    let isNew = transaction.changedRows > 0
    try transaction.run(Repetition.end, family.rawValue, source.key.rawValue)
    guard isNew else {
      let resuming = try transaction.statement(resume)
      try resuming.bind(1, family.rawValue)
      try resuming.bind(2, source.series)
      try resuming.bind(3, period.label)
      try resuming.bind(4, frequency.stored)
      try resuming.run()
      return nil
    }
    for member in assignees {
      try transaction.run(Assignees.assign, family.rawValue, key.rawValue, member.rawValue)
    }
    let shift = ReminderShift(from: source, to: period, dueAt: dueAt, clock)
    for planned in try plannedReminders(of: source.key, in: family, transaction) {
      try remind(of: key, in: family, shift.moved(planned), reminders, transaction)
    }
    try FamilyEvent.record(.choreChanged, key, of: family, at: now, transaction)
    return key
  }

  private static func assignees(
    of chore: GlobalID,
    in family: GlobalID,
    _ transaction: WriteTransaction
  ) throws -> [GlobalID] {
    try Assignees.all(of: chore, in: family, transaction).filter {
      try Assignees.isMember($0, of: family, transaction.reader)
    }
  }

  private static func plannedReminders(
    of chore: GlobalID,
    in family: GlobalID,
    _ transaction: WriteTransaction
  ) throws -> [Int64] {
    let statement = try transaction.statement(remindersOf)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, chore.rawValue)
    var planned: [Int64] = []
    try statement.forEachRow { row in planned.append(row.int64(0)) }
    return planned
  }

  private static func remind(
    of chore: GlobalID,
    in family: GlobalID,
    _ time: ReminderShift.Time,
    _ reminders: Scheduler,
    _ transaction: WriteTransaction
  ) throws {
    let key = try KeySequence.next(.reminder, transaction)
    let statement = try transaction.statement(insertReminder)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, key.rawValue)
    try statement.bind(3, chore.rawValue)
    try statement.bind(4, time.remindAt)
    try statement.bind(5, time.planned == time.remindAt ? nil : time.planned)
    try statement.run()
    transaction.afterCommit { reminders.schedule(at: time.remindAt) }
  }
}
