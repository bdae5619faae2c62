/// How an occurrence's reminders move into another period: they stay as far from the due time as they were. Without one
/// they stay on their day of the period, at their time of the day.
struct ReminderShift {
  struct Time {
    let remindAt: Int64
    /// What the next copy is made from.
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
    let place = day.number - (first ?? Period(period.unit, containing: day).first).number
    // The 31st is the last day of a shorter month, and the 31st again after it.
    let isOfMonth = period.unit == .month && (0..<31).contains(place)
    return Time(
      remindAt: clock.moment(of: period.first + (isOfMonth ? min(place, period.length - 1) : place), time),
      planned: clock.moment(of: period.first + place, time)
    )
  }
}
