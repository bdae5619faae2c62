/// The day and time within its period at which a repeating chore is due, as chosen by the family.
///
/// It is stored beside the due time. The due time deviates from it in shorter months and when clocks skip an hour, and
/// returns to it afterwards.
struct DueSlot: Hashable, Sendable {
  /// The day within the period, starting at 1.
  let day: Int64
  /// Wall-clock time in milliseconds after midnight.
  let time: Int64

  init(day: Int64, time: Int64) {
    self.day = day
    self.time = time
  }

  init(of dueAt: Int64, unit: Period.Unit, clock: WallClock) {
    let day = clock.day(at: dueAt)
    self.day = day.number - Period(unit, containing: day).first.number + 1
    time = clock.time(at: dueAt)
  }

  /// The day on which it is due in a period: the last one if the period is too short.
  func dueDay(in period: Period) -> Day { period.first + (min(day, period.length) - 1) }

  func dueAt(in period: Period, _ clock: WallClock) -> Int64 { clock.moment(of: dueDay(in: period), time) }
}
