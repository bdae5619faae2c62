/// Moves the reminders of an occurrence into another period. They keep their distance from the due time. Without a due
/// time they keep their day of the period and their time of day.
struct ReminderShift {
  struct Time {
    let remindAt: Int64
    /// The time from which the next copy is computed.
    let planned: Int64
  }

  private let source: NextOccurrence.Source
  private let period: Period
  private let dueAt: Int64?
  private let clock: WallClock

  init(from source: NextOccurrence.Source, to period: Period, dueAt: Int64?, _ clock: WallClock) {
    self.source = source
    self.period = period
    self.dueAt = dueAt
    self.clock = clock
  }

  func moved(_ planned: Int64) -> Time {
    if let dueAt, let before = source.dueAt {
      let moved = dueAt + (planned - before)
      return Time(remindAt: moved, planned: moved)
    }
    let (day, time) = (clock.day(at: planned), clock.time(at: planned))
    let first = source.period.flatMap { Period(period.unit, label: $0)?.first }
    let dayOffset = day.number - (first ?? Period(period.unit, containing: day).first).number
    // In a shorter month the 31st becomes the last day, and the 31st again in the month after.
    let isOfMonth = period.unit == .month && (0..<31).contains(dayOffset)
    return Time(
      remindAt: clock.moment(of: period.first + (isOfMonth ? min(dayOffset, period.length - 1) : dayOffset), time),
      planned: clock.moment(of: period.first + dayOffset, time)
    )
  }
}
