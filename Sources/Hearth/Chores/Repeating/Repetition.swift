import Storage

/// A chore begins to repeat, goes on in another way, or ends to.
///
/// Of all occurrences of a repeating chore, the newest is the one that the next is made from: it `repeats`. Its period
/// is the one in which it is due, or the one in which it begins to repeat where that is later or where it has no due
/// time.
enum Repetition {
  static let timeZone = SQL("SELECT time_zone FROM family WHERE id = ?1")
  static let begin = SQL(
    """
    UPDATE chore SET series_id = ?3, repeats = 1, period = ?4, due_day = ?5, due_time = ?6 \
    WHERE family_id = ?1 AND id = ?2
    """
  )
  /// Where another occurrence has the period already, this one keeps its own.
  static let move = SQL(
    """
    UPDATE chore SET period = iif(EXISTS (SELECT 1 FROM chore AS o WHERE o.family_id = ?1 AND o.series_id = ?3 \
    AND o.period = ?4 AND o.id <> ?2), period, ?4), due_day = ?5, due_time = ?6 WHERE family_id = ?1 AND id = ?2
    """
  )
  static let end = SQL("UPDATE chore SET repeats = 0 WHERE family_id = ?1 AND id = ?2")
  static let state = SQL(
    """
    SELECT frequency, due_at, repeats, series_id FROM chore WHERE family_id = ?1 AND id = ?2 AND removed_at IS NULL
    """
  )
  static let goesOnFrom = SQL(
    "SELECT 1 FROM chore INDEXED BY chore_occurrence WHERE family_id = ?1 AND series_id = ?2 AND repeats = 1"
  )
  static let advanceTurn = SQL(
    "UPDATE family SET next_turn_at = ?2 WHERE id = ?1 AND ifnull(next_turn_at, 9223372036854775807) > ?2"
  )

  /// How a chore repeats, as its row says.
  struct State {
    let frequency: Frequency
    let dueAt: Int64?
    let repeats: Bool
    let series: Int64?

    init?(of chore: GlobalID, in family: GlobalID, _ transaction: WriteTransaction) throws {
      let statement = try transaction.statement(Repetition.state)
      try statement.bind(1, family.rawValue)
      try statement.bind(2, chore.rawValue)
      let found = try statement.first { row in
        (row.int64(0), dueAt: row.optionalInt64(1), repeats: row.bool(2), series: row.optionalInt64(3))
      }
      guard let found, let frequency = Frequency(stored: found.0) else { return nil }
      self.frequency = frequency
      (dueAt, repeats, series) = (found.dueAt, found.repeats, found.series)
    }

    /// Whether it is an occurrence of a chore that goes on from a newer one.
    func isPast(in family: GlobalID, _ transaction: WriteTransaction) throws -> Bool {
      guard !repeats, let series else { return false }
      let statement = try transaction.statement(Repetition.goesOnFrom)
      try statement.bind(1, family.rawValue)
      try statement.bind(2, series)
      return try statement.first { _ in true } ?? false
    }
  }

  /// Lets a chore repeat from now on, as a series of its own. Gives the next turn of its periods, which the family has
  /// then in its row.
  static func begin(
    _ chore: GlobalID,
    of family: GlobalID,
    _ unit: Period.Unit,
    dueAt: Int64?,
    series: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws -> Int64 {
    let clock = try wallClock(of: family, transaction)
    try place(chore, of: family, unit, dueAt: dueAt, series: series.rawValue, by: begin, clock, at: now, transaction)
    let turn = clock.turn(of: unit, after: now)
    try transaction.run(advanceTurn, family.rawValue, turn)
    return turn
  }

  /// Makes a chore's row in step with what was changed: how often it comes back, and when it is due.
  static func update(
    _ chore: GlobalID,
    of family: GlobalID,
    from before: State,
    at now: Int64,
    turns: Scheduler,
    _ transaction: WriteTransaction
  ) throws {
    guard let after = try State(of: chore, in: family, transaction) else { return }
    if after.frequency != before.frequency {
      guard let unit = after.frequency.unit else {
        return try transaction.run(end, family.rawValue, chore.rawValue)
      }
      let series = try KeySequence.next(.chore, transaction)
      let turn = try begin(chore, of: family, unit, dueAt: after.dueAt, series: series, at: now, transaction)
      transaction.afterCommit { turns.schedule(at: turn) }
    } else if after.repeats, after.dueAt != before.dueAt, let unit = after.frequency.unit, let series = after.series {
      let clock = try wallClock(of: family, transaction)
      try place(chore, of: family, unit, dueAt: after.dueAt, series: series, by: move, clock, at: now, transaction)
    }
  }

  static func wallClock(of family: GlobalID, _ transaction: WriteTransaction) throws -> WallClock {
    let statement = try transaction.statement(timeZone)
    try statement.bind(1, family.rawValue)
    return WallClock(try statement.first { row in row.string(0) } ?? "")
  }

  static func place(
    _ chore: GlobalID,
    of family: GlobalID,
    _ unit: Period.Unit,
    dueAt: Int64?,
    series: Int64,
    by sql: SQL,
    _ clock: WallClock,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    let place = dueAt.map { DuePlace(of: $0, unit, clock) }
    let statement = try transaction.statement(sql)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, chore.rawValue)
    try statement.bind(3, series)
    try statement.bind(4, clock.period(unit, at: max(dueAt ?? now, now)).label)
    try statement.bind(5, place?.day)
    try statement.bind(6, place?.time)
    try statement.run()
  }
}
