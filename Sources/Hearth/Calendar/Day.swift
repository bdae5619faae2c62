import Bytes

/// A day of the Gregorian calendar, counted from 1 January 1970.
struct Day: Hashable, Comparable, Sendable {
  let number: Int64

  init(number: Int64) { self.number = number }

  init(year: Int64, month: Int64, day: Int64) {
    number = CivilDate(year: year, month: month, day: day).daysSince1970
  }

  var date: (year: Int64, month: Int64, day: Int64) {
    let date = CivilDate(daysSince1970: number)
    return (date.year, date.month, date.day)
  }

  /// From 1 (Monday) to 7 (ISO 8601). 1 January 1970 was a Thursday.
  var weekday: Int64 { ((number + 3) % 7 + 7) % 7 + 1 }

  /// The ISO 8601 week of the day, and the year that contains the Thursday of that week.
  var week: (year: Int64, week: Int64) {
    let thursday = self + (4 - weekday)
    let year = thursday.date.year
    return (year, (thursday.number - Day(year: year, month: 1, day: 1).number) / 7 + 1)
  }

  /// Formatted as `2026-11-21`.
  var text: String {
    let (year, month, day) = date
    return "\(Self.padded(year, width: 4))-\(Self.padded(month, width: 2))-\(Self.padded(day, width: 2))"
  }

  static func padded(_ number: Int64, width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  static func + (day: Day, days: Int64) -> Day { Day(number: day.number + days) }
  static func < (one: Day, other: Day) -> Bool { one.number < other.number }
}
