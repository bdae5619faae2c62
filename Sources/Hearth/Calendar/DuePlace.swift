/// Where in its period a repeating chore is due, as its family has chosen: kept beside the due time itself, which has
/// to leave it in a shorter month and where clocks skip a time, and then comes back to it.
struct DuePlace: Hashable, Sendable {
  /// The day of the period, from 1.
  let day: Int64
  /// Milliseconds after midnight, as clocks show it.
  let time: Int64

  init(day: Int64, time: Int64) {
    self.day = day
    self.time = time
  }

  init(of dueAt: Int64, _ unit: Period.Unit, _ clock: WallClock) {
    let day = clock.day(at: dueAt)
    self.day = day.number - Period(unit, containing: day).first.number + 1
    time = clock.time(at: dueAt)
  }

  func dueAt(in period: Period, _ clock: WallClock) -> Int64 {
    clock.moment(of: period.first + (min(day, period.length) - 1), time)
  }
}
