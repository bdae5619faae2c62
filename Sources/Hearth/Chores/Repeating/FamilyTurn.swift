import Storage

/// The turn of one family: see `PeriodTurn`.
struct FamilyTurn {
  let clock: WallClock
  let reminders: Scheduler
  let write: FamilyWrite
  /// When the next occurrence is copied before its period, as far as `perform` has found; `.max` if none is.
  var nextEarly = Int64.max
  /// The family's members, once a chore is copied.
  var members: Set<GlobalID>?

  private var now: Int64 { write.now.milliseconds }

  /// Returns the cost of the changes. The turn is complete when it is less than `maximum`.
  mutating func perform(atMost maximum: Int64) throws -> Int64 {
    var rest = maximum
    for frequency in Frequency.repeating {
      guard let unit = frequency.unit else { continue }
      let period = clock.period(unit, at: now)
      rest -= try comeBack(frequency, to: period, atMost: rest)
      guard rest > 0 else { return maximum }
      let sources = try NextOccurrence.Source.all(
        of: write.family,
        frequency,
        before: period,
        limit: rest,
        from: write.reader
      )
      for source in sources where rest > 0 { rest -= try carryOn(source, frequency: frequency, to: period) }
      guard rest > 0 else { return maximum }
      let left = try leftOpen(frequency, before: period, atMost: rest)
      for chore in left where rest > 0 { rest -= try archive(chore) }
      guard rest > 0 else { return maximum }
    }
    // Once in each turn of up to `maximum` chores, as it reads the reminders of all that repeat.
    for frequency in Frequency.repeating {
      rest -= try copyEarly(frequency, atMost: rest)
      guard rest > 0 else { break }
    }
    return maximum - rest
  }

  /// Copies occurrences whose next ones have a reminder that is due before their period. Returns the cost.
  private mutating func copyEarly(_ frequency: Frequency, atMost limit: Int64) throws -> Int64 {
    guard let unit = frequency.unit else { return 0 }
    let period = clock.period(unit, at: now)
    let found = try EarlyOccurrence.all(
      of: write.family,
      frequency,
      in: period,
      clock,
      at: now,
      limit: limit,
      from: write.reader
    )
    var cost: Int64 = 0
    for occurrence in found where occurrence.copiedAt <= now && cost < limit {
      cost += try carryOn(occurrence.source, frequency: frequency, to: period.next)
    }
    for occurrence in found where occurrence.copiedAt > now { nextEarly = min(nextEarly, occurrence.copiedAt) }
    return cost
  }

  /// Continues series from the period into which a clock that was ahead has moved them. Returns the cost.
  private mutating func comeBack(_ frequency: Frequency, to period: Period, atMost limit: Int64) throws -> Int64 {
    let sources = try NextOccurrence.Source.allAhead(
      of: write.family,
      frequency,
      after: period.next,
      at: now,
      limit: limit,
      from: write.reader
    )
    var cost: Int64 = 0
    for source in sources where cost < limit {
      cost += try carryOn(source, frequency: frequency, to: period)
      if try isOpen(source.key) { cost += try archive(source.key) }
      let chore = try write.reader.key(
        of: PeriodTurn.wronglyArchived,
        (family: write.family, series: source.series, period: period.label, now: write.now)
      )
      if let chore { try ChoreTransition.reopen(chore, in: write) }
    }
    return cost
  }

  private func isOpen(_ chore: GlobalID) throws -> Bool {
    try write.reader.hasRow(PeriodTurn.isOpen, (family: write.family, chore: chore))
  }

  /// Sets when the family's next turn is, after a complete one; never, when nothing repeats or can be archived.
  func setNext() throws {
    var next: Int64?
    for frequency in Frequency.repeating where try repeats(frequency) || hasOpen(frequency) {
      guard let unit = frequency.unit else { continue }
      next = min(next ?? nextEarly, clock.nextPeriodStart(of: unit, after: now))
    }
    try write.transaction.run(PeriodTurn.setNext, (family: write.family, turn: next.map(Timestamp.init)))
  }

  /// Returns the cost.
  private mutating func carryOn(
    _ source: NextOccurrence.Source,
    frequency: Frequency,
    to period: Period
  ) throws -> Int64 {
    guard source.period != nil else {
      try Repetition.setOccurrence(
        source.key,
        each: period.unit,
        dueAt: source.dueAt,
        series: source.series,
        by: Repetition.begin,
        clock,
        in: write
      )
      return 1
    }
    let members = try members ?? FamilyMember.keys(of: write.family, from: write.reader)
    self.members = members
    return try NextOccurrence.copy(
      source,
      frequency: frequency,
      to: period,
      clock,
      members: members,
      reminders: reminders,
      in: write
    ).cost
  }

  private func leftOpen(_ frequency: Frequency, before period: Period, atMost limit: Int64) throws -> [GlobalID] {
    try write.reader.keys(
      of: PeriodTurn.leftOpen,
      (family: write.family, frequency: frequency, period: period.label, now: write.now, limit: limit)
    )
  }

  /// Returns the cost.
  private func archive(_ chore: GlobalID) throws -> Int64 {
    PeriodTurn.cost(ofRows: try ChoreTransition.archive(chore, in: write))
  }

  private func repeats(_ frequency: Frequency) throws -> Bool {
    try write.reader.hasRow(PeriodTurn.repeats, (family: write.family, frequency: frequency))
  }

  private func hasOpen(_ frequency: Frequency) throws -> Bool {
    try write.reader.hasRow(PeriodTurn.hasOpen, (family: write.family, frequency: frequency))
  }
}
