import Storage

/// Starts, changes and ends the repetition of a chore.
///
/// The next occurrence of a repeating chore is copied from the newest one, which `repeats`. The period of an occurrence
/// is the one in which it is due. If it is due earlier than it begins to repeat, or has no due time, it is the period
/// in which it begins to repeat.
enum Repetition {
  /// The period of an occurrence, and the point of the period at which it is due.
  typealias Placement = (
    family: GlobalID, chore: GlobalID, series: Int64, period: String, day: Int64?, time: Int64?
  )

  static let begin = SQL<Placement>(
    """
    UPDATE chore SET series_id = \(\.series), repeats = 1, period = \(\.period), \
    due_day = \(\.day), due_time = \(\.time) WHERE family_id = \(\.family) AND id = \(\.chore)
    """
  )
  /// Keeps the period when another occurrence of the series has the new one already.
  static let move = SQL<Placement>(
    """
    UPDATE chore SET period = CASE WHEN EXISTS (SELECT 1 FROM chore AS o WHERE o.family_id = \(\.family) \
    AND o.series_id = \(\.series) AND o.period = \(\.period) AND o.id <> \(\.chore)) \
    THEN period ELSE \(\.period) END, \
    due_day = \(\.day), due_time = \(\.time) WHERE family_id = \(\.family) AND id = \(\.chore)
    """
  )
  static let end = SQL<ChoreKey>("UPDATE chore SET repeats = 0 WHERE family_id = \(\.family) AND id = \(\.chore)")
  /// Makes a chore one that does not repeat, and belongs to no period.
  static let stop = SQL<ChoreKey>(
    """
    UPDATE chore SET repeats = 0, series_id = NULL, period = NULL, due_day = NULL, due_time = NULL \
    WHERE family_id = \(\.family) AND id = \(\.chore)
    """
  )
  static let state = SQL<ChoreKey>(
    """
    SELECT frequency, due_at, repeats, series_id FROM chore \
    WHERE family_id = \(\.family) AND id = \(\.chore) AND removed_at IS NULL
    """
  )
  static let goesOnFrom = SQL<(family: GlobalID, series: Int64)>(
    """
    SELECT 1 FROM chore \(index: "chore_occurrence") \
    WHERE family_id = \(\.family) AND series_id = \(\.series) AND repeats = 1
    """
  )
  /// A chore that is newer than `chore`, and was copied from an occurrence of the series.
  static let hasNewerCopy = SQL<(family: GlobalID, chore: GlobalID, series: Int64)>(
    """
    SELECT 1 FROM chore AS c \(join: .asWritten) chore AS o \
    ON o.family_id = \(\.family) AND o.id = c.copied_from \
    WHERE c.family_id = \(\.family) AND c.id > \(\.chore) AND c.removed_at IS NULL \
    AND o.series_id = \(\.series) LIMIT 1
    """
  )
  static let advanceTurn = SQL<(family: GlobalID, turn: Timestamp)>(
    """
    UPDATE family SET next_turn_at = \(\.turn) \
    WHERE id = \(\.family) AND coalesce(next_turn_at, 9223372036854775807) > \(\.turn)
    """
  )

  /// The repetition of a chore, from its row.
  struct State {
    let chore: GlobalID
    let frequency: Frequency
    let dueAt: Int64?
    let repeats: Bool
    let series: Int64?

    init?(_ chore: GlobalID, of family: GlobalID, from reader: Reader) throws {
      let found = try reader.first(of: Repetition.state, (family: family, chore: chore)) { row in
        (row.int64(0), dueAt: row.optionalInt64(1), repeats: row.bool(2), series: row.optionalInt64(3))
      }
      guard let found, let frequency = Frequency(stored: found.0) else { return nil }
      self.chore = chore
      self.frequency = frequency
      (dueAt, repeats, series) = (found.dueAt, found.repeats, found.series)
    }

    /// Whether there is a newer occurrence: the one from which the series continues, or a copy. A copy begins a series
    /// of its own when its frequency changes.
    func isPast(of family: GlobalID, from reader: Reader) throws -> Bool {
      guard !repeats, let series else { return false }
      return try reader.hasRow(Repetition.goesOnFrom, (family: family, series: series))
        || reader.hasRow(Repetition.hasNewerCopy, (family: family, chore: chore, series: series))
    }
  }

  /// Makes a chore repeat from now on, as a new series. Returns the next turn of its periods, which is also stored in
  /// the family's row.
  static func begin(
    _ chore: GlobalID,
    each unit: Period.Unit,
    dueAt: Int64?,
    series: GlobalID,
    in write: FamilyWrite
  ) throws -> Int64 {
    let clock = try wallClock(of: write.family, from: write.reader)
    try setOccurrence(chore, each: unit, dueAt: dueAt, series: series.rawValue, by: begin, clock, in: write)
    let turn = clock.nextPeriodStart(of: unit, after: write.now.milliseconds)
    try write.transaction.run(advanceTurn, (family: write.family, turn: Timestamp(turn)))
    return turn
  }

  /// Updates the columns of the repetition after the frequency or the due time has changed.
  ///
  /// - Parameter restarts: whether the chore repeats again, even if its frequency has not changed.
  static func update(
    _ chore: GlobalID,
    from before: State,
    restarts: Bool,
    turns: Scheduler,
    in write: FamilyWrite
  ) throws {
    guard let after = try State(chore, of: write.family, from: write.reader) else { return }
    let isNewSeries = restarts || after.frequency != before.frequency
    guard isNewSeries || after.repeats && after.dueAt != before.dueAt else { return }
    guard let unit = after.frequency.unit else {
      return try write.transaction.run(stop, (family: write.family, chore: chore))
    }
    if isNewSeries {
      if !before.repeats { try RepetitionLimits.requireRoom(in: write) }
      let series = try KeySequence.next(.chore, in: write.transaction)
      let turn = try begin(chore, each: unit, dueAt: after.dueAt, series: series, in: write)
      if !before.repeats { try RepetitionLimits.requireFewReminders(field: ["input", "frequency"], in: write) }
      write.transaction.afterCommit { turns.schedule(at: turn) }
    } else if let series = after.series {
      let clock = try wallClock(of: write.family, from: write.reader)
      try setOccurrence(chore, each: unit, dueAt: after.dueAt, series: series, by: move, clock, in: write)
    }
    try scheduleEarlyCopy(of: chore, each: unit, turns: turns, in: write)
  }

  /// Schedules the turn that copies a chore's next occurrence before the next period, after the chore or its reminders
  /// have changed. Has no effect if it does not repeat, or if the next period's turn is early enough.
  ///
  /// A turn reads the reminders of all repeating chores of the family, so one chore causes a turn only when its next
  /// occurrence is copied early.
  static func scheduleEarlyCopy(
    of chore: GlobalID,
    each unit: Period.Unit,
    turns: Scheduler,
    in write: FamilyWrite
  ) throws {
    let clock = try wallClock(of: write.family, from: write.reader)
    let period = clock.period(unit, at: write.now.milliseconds)
    let copyTime = try EarlyOccurrence.copyTime(chore, of: write.family, during: period, clock, from: write.reader)
    guard let turn = copyTime.map({ max($0, write.now.milliseconds) }) else { return }
    try write.transaction.run(advanceTurn, (family: write.family, turn: Timestamp(turn)))
    write.transaction.afterCommit { turns.schedule(at: turn) }
  }

  static func wallClock(of family: GlobalID, from reader: Reader) throws -> WallClock {
    WallClock(try FamilyTimeZone.name(of: family, from: reader) ?? "")
  }

  static func setOccurrence(
    _ chore: GlobalID,
    each unit: Period.Unit,
    dueAt: Int64?,
    series: Int64,
    by sql: SQL<Placement>,
    _ clock: WallClock,
    in write: FamilyWrite
  ) throws {
    let dueSlot = dueAt.map { DueSlot(of: $0, unit: unit, clock: clock) }
    let period = clock.period(unit, at: max(dueAt ?? write.now.milliseconds, write.now.milliseconds)).label
    let placement: Placement = (
      family: write.family, chore: chore, series: series, period: period, day: dueSlot?.day, time: dueSlot?.time
    )
    try write.transaction.run(sql, placement)
  }
}
