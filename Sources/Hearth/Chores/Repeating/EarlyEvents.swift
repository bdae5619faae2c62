import Storage

/// Events that were recorded while the clock was wrong and ahead: their times are still in the future. Turns record
/// events, so the families of these events may have copies in future periods, and their next turn may be too late.
enum EarlyEvents {
  /// In milliseconds: more than the difference between the clocks of several processes, and less than a day.
  private static let tolerance = Milliseconds.hour

  static let found = SQL<Timestamp>(
    """
    SELECT family_id, position FROM family_event \(index: "family_event_by_age") \
    WHERE recorded_at > \(\.self) ORDER BY recorded_at LIMIT \(sql: "\(PeriodTurn.maximumAtOnce)")
    """
  )
  static let correct = SQL<(family: GlobalID, position: Int64, now: Timestamp)>(
    "UPDATE family_event SET recorded_at = \(\.now) WHERE family_id = \(\.family) AND position = \(\.position)"
  )
  /// Families whose turns have ended have none.
  static let recall = SQL<GlobalID>(
    "UPDATE family SET next_turn_at = 0 WHERE id = \(\.self) AND next_turn_at IS NOT NULL"
  )

  /// Makes the turns of the events' families due, and corrects the times of the events, so that each is found once.
  ///
  /// - Returns: the number of events, at most `PeriodTurn.maximumAtOnce`.
  static func recallTurns(at now: Int64, in transaction: WriteTransaction) throws -> Int64 {
    let events = try transaction.reader.all(of: found, Timestamp(now + tolerance)) { row in
      (family: GlobalID(rawValue: row.int64(0)), position: row.int64(1))
    }
    for (family, position) in events {
      try transaction.run(correct, (family: family, position: position, now: Timestamp(now)))
      try transaction.run(recall, family)
    }
    return Int64(events.count)
  }
}
