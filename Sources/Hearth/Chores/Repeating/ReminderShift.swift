import Storage

/// Moves the reminders of an occurrence into another period. They keep their distance in days from the due time and
/// their time of day, which a change of the clock between them would shift. Without a due time, or if they were or
/// would be after the period, they keep their day of the period and their time of day.
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

    var isLate: Bool { planned != remindAt }
  }

  private let source: NextOccurrence.Source
  private let period: Period
  private let clock: ReminderClock

  init(from source: NextOccurrence.Source, to period: Period, _ clock: WallClock) {
    self.source = source
    self.period = period
    self.clock = ReminderClock(of: source, each: period.unit, clock)
  }

  func moved(_ reminder: Original) -> Time {
    let (day, time) = clock.setting(of: reminder)
    if let moved = dayAtSameDistance(day), !isAfterPeriod(day), moved < period.next.first {
      return clock.time(on: moved, at: time)
    }
    let dayOffset = offset(of: reminder, plannedOn: day)
    let moved = clock.time(on: period.first + dayOffset, at: time)
    guard period.unit == .month else { return moved }
    if (period.length..<31).contains(dayOffset) {
      // In a shorter month the 31st becomes the last day, and the 31st again in the month after.
      let last = clock.time(on: period.first + (period.length - 1), at: time)
      return Time(remindAt: last.remindAt, planned: moved.remindAt)
    }
    // The distance from a due time on the 29th or later depends on the month.
    guard let slot = source.dueSlot, slot.day > 28, dayOffset >= 0 else { return moved }
    // Planned after the period, it keeps its day in the next copies too. In the next month it could be meant for the
    // last days of this one.
    var (later, planned) = (period.next, moved)
    repeat {
      later = later.next
      planned = clock.time(on: later.first + dayOffset, at: time)
    } while later.length <= dayOffset || planned.isLate
    return Time(remindAt: moved.remindAt, planned: planned.remindAt)
  }

  /// The day at the distance from the new due day that `day` has from that of the occurrence. Nil without a due time.
  private func dayAtSameDistance(_ day: Day) -> Day? {
    guard let before = clock.dueDay, let due = source.dueSlot?.dueDay(in: period) else { return nil }
    return due + (day.number - before.number)
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
