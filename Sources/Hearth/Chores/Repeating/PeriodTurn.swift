import Storage

/// The turn of a family's day, week or month: repeating chores are copied into the new period, and chores of earlier
/// periods that are still open are archived, unless they are due later. Missed periods are skipped: there is a copy for
/// the current period only. A copy with a reminder in the period before its own is made at its time
/// (`EarlyOccurrence`).
///
/// A clock that was wrong and far ahead leaves copies in future periods. After it is corrected, series continue from
/// the current period, its open copies are archived, and chores of the present that it archived are reopened.
///
/// A turn can be split and repeated: a series has one occurrence in a period, and chores of later periods are not
/// touched. So neither a restart during the turn, nor a new time zone, nor a clock that was set back creates a second
/// occurrence.
enum PeriodTurn {
  /// The number of chores that are copied or archived in one write, so that other writes do not wait long: about
  /// 10 ms on SQLite. One with many reminders counts as several: see `cost`.
  static let maximumAtOnce: Int64 = 200
  /// The same on PostgreSQL, where each takes several round trips, for which the other writes wait.
  private static let maximumAtOnceWaiting: Int64 = 50

  static let due = SQL<(now: Timestamp, limit: Int64)>(
    """
    SELECT id, time_zone FROM family \(index: "family_turn") WHERE next_turn_at <= \(\.now) \
    ORDER BY next_turn_at LIMIT \(\.limit)
    """
  )
  static let next = SQL<Timestamp>(
    """
    SELECT next_turn_at FROM family \(index: "family_turn") WHERE next_turn_at > \(\.self) \
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
  static let resume = SQL<GlobalID>(
    """
    UPDATE family SET next_turn_at = 0 WHERE id = \(\.self) \
    AND EXISTS (SELECT 1 FROM chore WHERE family_id = \(\.self) AND repeats = 1)
    """
  )
  /// A turn that is further away than the longest period was set while the clock was ahead.
  static let recall = SQL<Timestamp>(
    """
    UPDATE family \(index: "family_turn") SET next_turn_at = 0 \
    WHERE next_turn_at > \(\.self) AND next_turn_at IS NOT NULL
    """
  )
  /// In milliseconds: more than the longest month plus the largest offset between time zones.
  private static let furthest: Int64 = 40 * Milliseconds.day
  static let repeats = SQL<(family: GlobalID, frequency: Frequency)>(
    """
    SELECT 1 FROM chore \(index: "chore_repeating") \
    WHERE repeats = 1 AND family_id = \(\.family) AND frequency = \(\.frequency) LIMIT 1
    """
  )
  /// Whether a chore of the frequency is open. It does not repeat if the newest occurrence's frequency has changed.
  static let hasOpen = SQL<(family: GlobalID, frequency: Frequency)>(
    """
    SELECT 1 FROM chore \(index: "chore_left_open") \
    WHERE status = \(ChoreStatus.open) AND period IS NOT NULL AND removed_at IS NULL \
    AND family_id = \(\.family) AND frequency = \(\.frequency) LIMIT 1
    """
  )
  static let leftOpen = SQL<
    (family: GlobalID, frequency: Frequency, period: String, now: Timestamp, limit: Int64)
  >(
    """
    SELECT id FROM chore \(index: "chore_left_open") \
    WHERE status = \(ChoreStatus.open) AND removed_at IS NULL AND family_id = \(\.family) \
    AND frequency = \(\.frequency) AND period < \(\.period) AND (due_at IS NULL OR due_at < \(\.now))\(order: "id") \
    LIMIT \(\.limit)
    """
  )
  static let isOpen = SQL<ChoreKey>(
    """
    SELECT 1 FROM chore WHERE family_id = \(\.family) AND id = \(\.chore) \
    AND status = \(ChoreStatus.open) AND removed_at IS NULL
    """
  )
  /// Chores that were archived at a time that is still in the future.
  static let wronglyArchived = SQL<(family: GlobalID, series: Int64, period: String, now: Timestamp)>(
    """
    SELECT id FROM chore \(index: "chore_occurrence") WHERE family_id = \(\.family) AND series_id = \(\.series) \
    AND period = \(\.period) AND status = \(ChoreStatus.archived) AND removed_at IS NULL AND updated_at > \(\.now)
    """
  )

  /// The number of chores without assignees and reminders that take as long as one with so many of them.
  static func cost(ofRows count: Int) -> Int64 { Int64(1 + count / 8) }

  /// Ends all turns of a family.
  static func end(in write: FamilyWrite) throws {
    try write.transaction.run(setNext, (family: write.family, turn: nil))
  }

  /// Begins the turns of a family again. Returns false if no chore of it repeats.
  static func resume(in write: FamilyWrite) throws -> Bool {
    try write.transaction.run(resume, write.family)
    return write.transaction.changedRows > 0
  }

  static let service = FeatureService("turns of periods") { services in
    let reminders = services[ReminderScheduler.service]
    let failures = FailedAttempts(of: "A family's turn of a period", log: services.log)
    return Scheduler("turns of periods", in: services.work, dueTimes: [earliest]) { write in
      try doWhatIsDue(failures: failures, reminders: reminders, in: write)
    }
  }

  /// Performs the turns of as many families as fit into one write, except for those whose turn fails.
  private static func doWhatIsDue(
    failures: FailedAttempts,
    reminders: Scheduler,
    in write: DatedWrite
  ) throws -> Int64? {
    let now = write.now.milliseconds
    try write.transaction.run(recall, write.now + furthest)
    let most = write.transaction.waitsForRows ? maximumAtOnceWaiting : maximumAtOnce
    var rest = most
    while rest > 0 {
      let waiting = failures.waiting(at: now)
      let found = try write.reader.all(of: due, (now: write.now, limit: Int64(waiting.count) + 1)) { row in
        (family: row.key(0), timeZone: row.string(1))
      }
      guard let (family, timeZone) = found.first(where: { !waiting.contains($0.family) }) else {
        // Reminders of repeating chores wait for the turns.
        write.transaction.afterCommit { reminders.schedule(at: now) }
        return try [write.reader.number(of: next, write.now), failures.nextRetry(after: now)].compactMap(\.self).min()
      }
      // A turn that has failed has a write of its own, so that it does not fail the turns of others.
      guard rest == most || !failures.hasFailed(at: family) else { break }
      guard failures.beginAttempt(at: family, in: write.now, now: now) else { continue }
      write.transaction.afterCommit { failures.attemptSucceeded(at: family) }
      var turn = FamilyTurn(clock: WallClock(timeZone), reminders: reminders, write: write.inFamily(family))
      rest -= try turn.perform(atMost: rest)
      guard rest > 0 else { break }
      try turn.setNext()
      // A family without work has a cost too.
      rest -= 1
    }
    return now
  }
}

extension Services {
  /// The scheduler of the turns of days, weeks and months, for repeating chores.
  var turns: Scheduler { self[PeriodTurn.service] }
}
