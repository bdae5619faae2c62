import Storage

/// Moves the reminders of an occurrence into another period. They keep their distance in days from the due time and
/// their time of day, which a change of the clock between them would shift. One on the day of a due time that clocks
/// skip keeps its distance from it. Without a due time, or if they would be after the period, they keep their day of
/// the period and their time of day.
struct ReminderShift {
  /// A reminder of the occurrence.
  struct Original {
    let key: GlobalID
    /// The time for which it was set. Snoozing does not change it.
    let remindAt: Int64
    let plannedAt: Int64?

    /// - Parameter column: the index of the column `id`, which this time and `planned_at` follow.
    init(_ row: Row, from column: Int) {
      key = row.key(column)
      remindAt = row.int64(column + 1)
      plannedAt = row.optionalInt64(column + 2)
    }
  }

  struct Time {
    let remindAt: Int64
    /// The time from which the next copy is computed.
    let planned: Int64
  }

  private let source: NextOccurrence.Source
  private let period: Period
  private let dueAt: Int64?
  private let clock: WallClock
  private let zoneShift: Int64

  init(from source: NextOccurrence.Source, to period: Period, dueAt: Int64?, _ clock: WallClock) {
    self.source = source
    self.period = period
    self.dueAt = dueAt
    self.clock = clock
    zoneShift = Self.zoneShift(of: source, in: period.unit, clock)
  }

  func moved(_ reminder: Original) -> Time {
    let planned = (reminder.plannedAt ?? reminder.remindAt) + zoneShift
    let day = clock.day(at: planned)
    let time = ownTime(planned: planned, remindAt: reminder.remindAt + zoneShift)
    if !isAfterPeriod(day), let moved = atSameDistance(planned: planned, time: time),
      clock.day(at: moved.remindAt) < period.next.first
    {
      return moved
    }
    let dayOffset = offset(of: reminder, plannedOn: day)
    let moved = self.reminder(at: time, on: period.first + dayOffset)
    guard period.unit == .month, (period.length..<31).contains(dayOffset) else { return moved }
    // In a shorter month the 31st becomes the last day, and the 31st again in the month after.
    return Time(remindAt: clock.moment(of: period.first + (period.length - 1), time), planned: moved.remindAt)
  }

  /// The reminder at its distance from the new due time. Nil without a due time.
  private func atSameDistance(planned: Int64, time: Int64) -> Time? {
    guard let dueAt, let before = source.dueAt.map({ $0 + zoneShift }) else { return nil }
    let days = clock.day(at: planned).number - clock.day(at: before).number
    // The times of day differ if clocks skip one of them.
    guard days == 0, clock.time(at: dueAt) != clock.time(at: before) else {
      return reminder(at: time, on: clock.day(at: dueAt) + days)
    }
    let remindAt = dueAt + (planned - before)
    return Time(remindAt: remindAt, planned: remindAt)
  }

  /// A reminder at a time of day. If clocks skip it, the reminder is late by the length of the gap, and is planned as
  /// much later again, from which `ownTime` restores its time of day.
  private func reminder(at time: Int64, on day: Day) -> Time {
    let remindAt = clock.moment(of: day, time)
    return Time(remindAt: remindAt, planned: remindAt + max(clock.time(at: remindAt) - time, 0))
  }

  /// The time of day for which a reminder was set.
  private func ownTime(planned: Int64, remindAt: Int64) -> Int64 {
    let (time, late) = (clock.time(at: planned), planned - remindAt)
    let skipped = time - 2 * late
    guard late > 0, skipped >= 0, clock.moment(of: clock.day(at: planned), skipped) == remindAt else { return time }
    return skipped
  }

  /// Milliseconds from the due time of an occurrence to the same day of the period and wall-clock time in the family's
  /// time zone. 0, unless the family has moved to another zone since, where the next due time has the same wall-clock
  /// time.
  private static func zoneShift(
    of source: NextOccurrence.Source,
    in unit: Period.Unit,
    _ clock: WallClock
  ) -> Int64 {
    guard let dueAt = source.dueAt, let slot = source.dueSlot else { return 0 }
    func isDueDay(_ day: Day) -> Bool { day == slot.dueDay(in: Period(unit, containing: day)) }
    let day = clock.day(at: dueAt)
    guard clock.time(at: dueAt) != slot.time || !isDueDay(day) else { return 0 }
    // Zones can be more than a day apart.
    let offsets: [Int64] = [-2, -1, 0, 1, 2]
    let days = offsets.map { day + $0 }
    // Between zones that are more than 12 hours apart, the time is nearer on another day than the due one. None of the
    // days is the due one if the due time was changed while the occurrence did not repeat.
    let dueDays = days.filter(isDueDay)
    // The nearest is 0 if clocks skipped the time.
    let shifts = (dueDays.isEmpty ? days : dueDays).map { clock.moment(of: $0, slot.time) - dueAt }
    return shifts.min { abs($0) < abs($1) } ?? 0
  }

  /// Whether a day is after the period of the occurrence.
  private func isAfterPeriod(_ day: Day) -> Bool {
    guard let own = source.period.flatMap({ Period(period.unit, label: $0) }) else { return false }
    return day.number >= own.first.number + own.length
  }

  /// The number of days from the start of a period to the reminder.
  ///
  /// A reminder can be set for a day after the occurrence's period, in which it never becomes due: in the evening, for
  /// the next morning. It can also be earlier than the series, if the frequency was changed. Both count from the start
  /// of the period that contains them.
  private func offset(of reminder: Original, plannedOn day: Day) -> Int64 {
    let containing = Period(period.unit, containing: day)
    guard let own = source.period.flatMap({ Period(period.unit, label: $0) }), own != containing else {
      return day.number - containing.first.number
    }
    let offset = day.number - own.first.number
    // Such as the evening before.
    let isOfPeriodBefore = containing.next == own && reminder.key.rawValue > source.series
    // Such as the 31st in the copy for February.
    let isOfLongerMonth =
      source.isCopy && reminder.plannedAt != nil && own.unit == .month && (own.length..<31).contains(offset)
    return isOfPeriodBefore || isOfLongerMonth ? offset : day.number - containing.first.number
  }
}
