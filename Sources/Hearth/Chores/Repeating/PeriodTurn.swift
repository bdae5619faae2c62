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

  static let due = SQL<Timestamp>(
    """
    SELECT id, time_zone FROM family \(index: "family_turn") WHERE next_turn_at <= \(\.self) \
    ORDER BY next_turn_at LIMIT 1
    """
  )
  static let earliest = SQL<Void>(
    """
    SELECT next_turn_at FROM family \(index: "family_turn") WHERE next_turn_at IS NOT NULL ORDER BY next_turn_at LIMIT 1
    """
  )
  static let setNext = SQL<(family: GlobalID, turn: Timestamp?)>(
    "UPDATE family SET next_turn_at = \(\.turn) WHERE id = \(\.family)"
  )
  /// A turn further off than any period is long was set by a clock that was ahead.
  static let recall = SQL<Timestamp>(
    """
    UPDATE family \(index: "family_turn") SET next_turn_at = 0 \
    WHERE next_turn_at > \(\.self) AND next_turn_at IS NOT NULL
    """
  )
  /// In milliseconds; zones and the longest month together have less.
  private static let furthest: Int64 = 40 * 86_400_000
  static let repeats = SQL<(family: GlobalID, frequency: Frequency)>(
    """
    SELECT 1 FROM chore \(index: "chore_repeating") \
    WHERE repeats = 1 AND family_id = \(\.family) AND frequency = \(\.frequency) LIMIT 1
    """
  )
  static let leftOpen = SQL<
    (family: GlobalID, frequency: Frequency, period: String, now: Timestamp, limit: Int64)
  >(
    """
    SELECT id FROM chore \(index: "chore_left_open") \
    WHERE status = \(ChoreStatus.open) AND removed_at IS NULL AND family_id = \(\.family) \
    AND frequency = \(\.frequency) AND period < \(\.period) AND (due_at IS NULL OR due_at < \(\.now)) \
    LIMIT \(\.limit)
    """
  )
  static let isOpen = SQL<ChoreKey>(
    """
    SELECT 1 FROM chore WHERE family_id = \(\.family) AND id = \(\.chore) \
    AND status = \(ChoreStatus.open) AND removed_at IS NULL
    """
  )
  /// What was put away at a time that has not come.
  static let wronglyArchived = SQL<(family: GlobalID, series: Int64, period: String, now: Timestamp)>(
    """
    SELECT id FROM chore \(index: "chore_occurrence") WHERE family_id = \(\.family) AND series_id = \(\.series) \
    AND period = \(\.period) AND status = \(ChoreStatus.archived) AND removed_at IS NULL AND updated_at > \(\.now)
    """
  )

  /// Nothing of the family comes back any more.
  static func end(_ family: GlobalID, _ transaction: WriteTransaction) throws {
    try transaction.run(setNext, (family: family, turn: nil))
  }

  static let service = FeatureService("turns of periods") { services in
    let reminders = services[ReminderScheduler.service]
    return Scheduler("turns of periods", services.database, clock: services.clock, log: services.log) {
      now,
      transaction in
      try doWhatIsDue(at: now, reminders: reminders, transaction)
    }
  }

  /// As many families as come to one part.
  private static func doWhatIsDue(
    at now: Int64,
    reminders: Scheduler,
    _ transaction: WriteTransaction
  ) throws -> Int64? {
    try transaction.run(recall, Timestamp(now + furthest))
    var rest = maximumAtOnce
    while rest > 0 {
      let found = try transaction.reader.first(of: due, Timestamp(now)) { row in
        (GlobalID(rawValue: row.int64(0)), row.string(1))
      }
      guard let (family, timeZone) = found else {
        return try transaction.reader.first(of: earliest, ()) { row in row.int64(0) }
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
      let chore = try transaction.reader.key(
        of: PeriodTurn.wronglyArchived,
        (family: family, series: source.series, period: period.label, now: Timestamp(now))
      )
      if let chore { try ChoreTransition.reopen(chore, of: family, at: now, transaction) }
    }
    return Int64(sources.count)
  }

  private func isOpen(_ chore: GlobalID) throws -> Bool {
    try transaction.reader.hasRow(PeriodTurn.isOpen, (family: family, chore: chore))
  }

  /// When to look at the family again; never where nothing repeats.
  func setNext() throws {
    var next: Int64?
    for frequency in Frequency.repeating where try repeats(frequency) {
      guard let unit = frequency.unit else { continue }
      next = min(next ?? .max, clock.nextPeriodStart(of: unit, after: now))
    }
    try transaction.run(PeriodTurn.setNext, (family: family, turn: next.map(Timestamp.init)))
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
    try transaction.reader.keys(
      of: PeriodTurn.leftOpen,
      (family: family, frequency: frequency, period: period.label, now: Timestamp(now), limit: limit)
    )
  }

  private func archive(_ chore: GlobalID) throws {
    try ChoreTransition.archive(chore, of: family, at: now, transaction)
  }

  private func repeats(_ frequency: Frequency) throws -> Bool {
    try transaction.reader.hasRow(PeriodTurn.repeats, (family: family, frequency: frequency))
  }
}

extension Services {
  /// Turns of days, weeks and months, for chores that repeat.
  var turns: Scheduler { self[PeriodTurn.service] }
}
