import Foundation

/// Converts between points in time and the wall-clock time of a time zone.
struct WallClock: Sendable {
  private let zone: TimeZone

  /// - Parameter timeZone: a name of the IANA database. UTC is used if this machine does not know it.
  init(_ timeZone: String) { zone = TimeZone(identifier: timeZone) ?? .gmt }

  func day(at moment: Int64) -> Day { Day(number: Self.days(moment + offset(at: moment))) }

  /// Wall-clock time in milliseconds after midnight.
  func time(at moment: Int64) -> Int64 {
    let shown = moment + offset(at: moment)
    return shown - Self.days(shown) * Milliseconds.day
  }

  /// The point in time at which clocks show this day and time. A skipped time moves forward by the length of the gap. A
  /// time that occurs twice is the first of the two (RFC 5545, section 3.3.5).
  func moment(of day: Day, _ time: Int64 = 0) -> Int64 {
    let shown = day.number * Milliseconds.day + time
    // Within one day before and after, clocks change at most once.
    let before = offset(at: shown - Milliseconds.day)
    let after = offset(at: shown + Milliseconds.day)
    let first = shown - before
    guard before != after, offset(at: first) != before else { return first }
    return offset(at: shown - after) == after ? shown - after : first
  }

  /// The first point in time at which clocks show this time of the day or a later one: for a skipped time, the one at
  /// which they change.
  func firstMoment(of day: Day, from time: Int64) -> Int64 {
    let moment = moment(of: day, time)
    let skipped = (self.time(at: moment) - time + Milliseconds.day) % Milliseconds.day
    guard skipped > 0 else { return moment }
    var (before, change) = (moment - skipped, moment)
    let offsetBefore = offset(at: before)
    while change - before > 1 {
      let middle = before + (change - before) / 2
      if offset(at: middle) == offsetBefore { before = middle } else { change = middle }
    }
    return change
  }

  /// When the day ends that contains `moment`. Nil if clocks change before that: then the day can begin twice.
  func endOfPlainDay(at moment: Int64) -> Int64? {
    let end = moment + Milliseconds.day - time(at: moment)
    return offset(at: moment) == offset(at: end) ? end : nil
  }

  func period(_ unit: Period.Unit, at moment: Int64) -> Period { Period(unit, containing: day(at: moment)) }

  /// The start of the period after the one that contains `moment`.
  func nextPeriodStart(of unit: Period.Unit, after moment: Int64) -> Int64 {
    // Always later than `moment`, whatever the zone's rules are.
    max(self.moment(of: period(unit, at: moment).next.first), moment + 1_000)
  }

  private static func days(_ milliseconds: Int64) -> Int64 {
    milliseconds / Milliseconds.day - (milliseconds % Milliseconds.day < 0 ? 1 : 0)
  }

  /// Milliseconds east of UTC.
  private func offset(at moment: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment) / 1000))) * 1000
  }
}
