import Logging
import Storage

/// The turn of a family's day, week or month: what repeats is copied into the new period, and what is left open of
/// earlier ones is put away, unless it is still to be due. Periods that went by meanwhile are not made up for: the copy
/// is of the period that is now.
///
/// A clock that was far ahead by mistake leaves copies in periods that nobody has come to. When it is set back, series
/// go on from the period that is now, its open copies are put away, and what it has put away of the present is open
/// again.
///
/// A turn can be done in parts and any number of times: there is one occurrence in a period, and nothing of a later
/// period is touched, so neither a restart in between, nor another zone, nor a clock that was set back makes a second
/// one.
enum PeriodTurn {
  /// How many chores are copied or put away in one write, so that others do not wait long for theirs: some 10 ms.
  static let maximumAtOnce: Int64 = 200

  static let due = SQL(
    """
    SELECT id, time_zone FROM family INDEXED BY family_turn WHERE next_turn_at <= ?1 ORDER BY next_turn_at LIMIT 1
    """
  )
  static let earliest = SQL(
    """
    SELECT next_turn_at FROM family INDEXED BY family_turn WHERE next_turn_at IS NOT NULL ORDER BY next_turn_at LIMIT 1
    """
  )
  static let setNext = SQL("UPDATE family SET next_turn_at = ?2 WHERE id = ?1")
  /// A turn further off than any period is long was set by a clock that was ahead.
  static let recall = SQL(
    "UPDATE family INDEXED BY family_turn SET next_turn_at = 0 WHERE next_turn_at > ?1 AND next_turn_at IS NOT NULL"
  )
  /// In milliseconds; zones and the longest month together have less.
  private static let furthest: Int64 = 40 * 86_400_000
  static let end = SQL("UPDATE family SET next_turn_at = NULL WHERE id = ?1")
  static let repeats = SQL(
    "SELECT 1 FROM chore INDEXED BY chore_repeating WHERE repeats = 1 AND family_id = ?1 AND frequency = ?2 LIMIT 1"
  )
  static let leftOpen = SQL(
    """
    SELECT id FROM chore INDEXED BY chore_left_open WHERE status = 0 AND removed_at IS NULL AND family_id = ?1 \
    AND frequency = ?2 AND period < ?3 AND (due_at IS NULL OR due_at < ?4) LIMIT ?5
    """
  )
  static let isOpen = SQL("SELECT 1 FROM chore WHERE family_id = ?1 AND id = ?2 AND status = 0 AND removed_at IS NULL")
  /// What was put away at a time that has not come: parameters 1 the family, 2 the series, 3 the period, 4 now.
  static let wronglyArchived = SQL(
    """
    SELECT id FROM chore INDEXED BY chore_occurrence WHERE family_id = ?1 AND series_id = ?2 AND period = ?3 \
    AND status = 2 AND removed_at IS NULL AND updated_at > ?4
    """
  )
  static let reopen = SQL("UPDATE chore SET status = 0, updated_at = ?3 WHERE family_id = ?1 AND id = ?2")
  static let reopenAssignments = SQL("UPDATE assignment SET status = 0 WHERE family_id = ?1 AND chore_id = ?2")
  static let archive = SQL("UPDATE chore SET status = 2, updated_at = ?3 WHERE family_id = ?1 AND id = ?2")
  static let archiveAssignments = SQL("UPDATE assignment SET status = 2 WHERE family_id = ?1 AND chore_id = ?2")
  static let ignoreReminders = SQL(
    """
    UPDATE reminder INDEXED BY reminder_by_chore SET status = 3 WHERE family_id = ?1 AND chore_id = ?2 AND status < 2
    """
  )

  static func scheduler(_ database: Database, reminders: Scheduler, clock: Clock, log: Logger) -> Scheduler {
    Scheduler("turns of periods", database, clock: clock, log: log) { now, transaction in
      try doWhatIsDue(at: now, reminders: reminders, transaction)
    }
  }

  /// As many families as come to one part.
  private static func doWhatIsDue(
    at now: Int64,
    reminders: Scheduler,
    _ transaction: WriteTransaction
  ) throws -> Int64? {
    try transaction.run(recall, now + furthest)
    var rest = maximumAtOnce
    while rest > 0 {
      let finding = try transaction.statement(due)
      try finding.bind(1, now)
      let found = try finding.first { row in (GlobalID(rawValue: row.int64(0)), row.string(1)) }
      guard let (family, timeZone) = found else {
        return try transaction.statement(earliest).first { row in row.int64(0) }
      }
      let turn = FamilyTurn(
        family: family,
        clock: WallClock(timeZone),
        now: now,
        reminders: reminders,
        transaction: transaction
      )
      rest -= try turn.perform(atMost: rest)
      guard rest > 0 else { break }
      try turn.setNext()
      // A family that has nothing to do costs something too.
      rest -= 1
    }
    return now
  }
}

/// One family's turn.
private struct FamilyTurn {
  let family: GlobalID
  let clock: WallClock
  let now: Int64
  let reminders: Scheduler
  let transaction: WriteTransaction

  /// Gives how much was done; less than what was allowed says that all is.
  func perform(atMost maximum: Int64) throws -> Int64 {
    var rest = maximum
    for frequency in Frequency.repeating {
      guard let unit = frequency.unit else { continue }
      let period = clock.period(unit, at: now)
      rest -= try comeBack(frequency, to: period, atMost: rest)
      let sources = try NextOccurrence.Source.all(of: family, frequency, before: period, limit: rest, transaction)
      for source in sources { try carryOn(source, frequency, to: period) }
      rest -= Int64(sources.count)
      let left = try leftOpen(frequency, before: period, atMost: rest)
      for chore in left { try archive(chore) }
      rest -= Int64(left.count)
      guard rest > 0 else { break }
    }
    return maximum - rest
  }

  /// From where a clock that was ahead has led. Gives how many series came back.
  private func comeBack(_ frequency: Frequency, to period: Period, atMost limit: Int64) throws -> Int64 {
    let sources = try NextOccurrence.Source.allAhead(
      of: family,
      frequency,
      after: period.next,
      at: now,
      limit: limit,
      transaction
    )
    for source in sources {
      try carryOn(source, frequency, to: period)
      if try isOpen(source.key) { try archive(source.key) }
      let finding = try transaction.statement(PeriodTurn.wronglyArchived)
      try finding.bind(1, family.rawValue)
      try finding.bind(2, source.series)
      try finding.bind(3, period.label)
      try finding.bind(4, now)
      guard let chore = try finding.first({ row in row.int64(0) }) else { continue }
      try transaction.run(PeriodTurn.reopen, family.rawValue, chore, now)
      try transaction.run(PeriodTurn.reopenAssignments, family.rawValue, chore)
      try FamilyEvent.record(.choreChanged, GlobalID(rawValue: chore), of: family, at: now, transaction)
    }
    return Int64(sources.count)
  }

  private func isOpen(_ chore: GlobalID) throws -> Bool {
    let statement = try transaction.statement(PeriodTurn.isOpen)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, chore.rawValue)
    return try statement.first { _ in true } ?? false
  }

  /// When to look at the family again; never where nothing repeats.
  func setNext() throws {
    var next: Int64?
    for frequency in Frequency.repeating where try repeats(frequency) {
      guard let unit = frequency.unit else { continue }
      next = min(next ?? .max, clock.turn(of: unit, after: now))
    }
    let statement = try transaction.statement(PeriodTurn.setNext)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, next)
    try statement.run()
  }

  private func carryOn(_ source: NextOccurrence.Source, _ frequency: Frequency, to period: Period) throws {
    guard source.period != nil else {
      return try Repetition.place(
        source.key,
        of: family,
        period.unit,
        dueAt: source.dueAt,
        series: source.series,
        by: Repetition.begin,
        clock,
        at: now,
        transaction
      )
    }
    _ = try NextOccurrence.copy(
      source,
      of: family,
      frequency,
      to: period,
      clock,
      at: now,
      reminders: reminders,
      transaction
    )
  }

  private func leftOpen(_ frequency: Frequency, before period: Period, atMost limit: Int64) throws -> [GlobalID] {
    let statement = try transaction.statement(PeriodTurn.leftOpen)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, frequency.stored)
    try statement.bind(3, period.label)
    try statement.bind(4, now)
    try statement.bind(5, limit)
    var chores: [GlobalID] = []
    try statement.forEachRow { row in chores.append(GlobalID(rawValue: row.int64(0))) }
    return chores
  }

  private func archive(_ chore: GlobalID) throws {
    try transaction.run(PeriodTurn.archive, family.rawValue, chore.rawValue, now)
    try transaction.run(PeriodTurn.archiveAssignments, family.rawValue, chore.rawValue)
    try transaction.run(PeriodTurn.ignoreReminders, family.rawValue, chore.rawValue)
    try FamilyEvent.record(.choreChanged, chore, of: family, at: now, transaction)
  }

  private func repeats(_ frequency: Frequency) throws -> Bool {
    let statement = try transaction.statement(PeriodTurn.repeats)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, frequency.stored)
    return try statement.first { _ in true } ?? false
  }
}
