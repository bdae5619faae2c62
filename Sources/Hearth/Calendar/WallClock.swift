import Foundation

/// What clocks on the wall say where a family lives.
struct WallClock: Sendable {
  private let zone: TimeZone

  /// Of a zone by its name in the IANA database; UTC where this machine does not know it.
  init(_ timeZone: String) { zone = TimeZone(identifier: timeZone) ?? .gmt }

  func day(at moment: Int64) -> Day { Day(number: Self.days(moment + offset(at: moment))) }

  /// Milliseconds that the clock shows beyond midnight.
  func time(at moment: Int64) -> Int64 {
    let shown = moment + offset(at: moment)
    return shown - Self.days(shown) * Self.dayLength
  }

  /// When clocks show this. A time that they skip is as much later as they skip; of a time that they show twice it is
  /// the first (RFC 5545, section 3.3.5).
  func moment(of day: Day, _ time: Int64 = 0) -> Int64 {
    let shown = day.number * Self.dayLength + time
    // A day away, no change of the clocks is in between but the one that is looked for.
    let before = offset(at: shown - Self.dayLength)
    let after = offset(at: shown + Self.dayLength)
    let first = shown - before
    guard before != after, offset(at: first) != before else { return first }
    return offset(at: shown - after) == after ? shown - after : first
  }

  func period(_ unit: Period.Unit, at moment: Int64) -> Period { Period(unit, containing: day(at: moment)) }

  /// When the period after the one of this moment begins.
  func turn(of unit: Period.Unit, after moment: Int64) -> Int64 {
    // Later than now in any case, whatever a zone's rules say.
    max(self.moment(of: period(unit, at: moment).next.first), moment + 1_000)
  }

  private static let dayLength: Int64 = 86_400_000

  private static func days(_ milliseconds: Int64) -> Int64 {
    milliseconds / dayLength - (milliseconds % dayLength < 0 ? 1 : 0)
  }

  /// Milliseconds east of Greenwich.
  private func offset(at moment: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment) / 1000))) * 1000
  }
}
