/// A day of the Gregorian calendar, counted from 1 January 1970.
struct Day: Hashable, Comparable, Sendable {
  let number: Int64

  init(number: Int64) { self.number = number }

  /// Counted in years that begin in March, so that the day that leap years have more is the last of one.
  init(year: Int64, month: Int64, day: Int64) {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The same way back.
  var date: (year: Int64, month: Int64, day: Int64) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// From 1, Monday, to 7 (ISO 8601). The first of all days was a Thursday.
  var weekday: Int64 { ((number + 3) % 7 + 7) % 7 + 1 }

  /// The week that has it, and the year that has the week's Thursday (ISO 8601).
  var week: (year: Int64, week: Int64) {
    let thursday = self + (4 - weekday)
    let year = thursday.date.year
    return (year, (thursday.number - Day(year: year, month: 1, day: 1).number) / 7 + 1)
  }

  /// As `2026-11-21`.
  var text: String {
    let (year, month, day) = date
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  static func + (day: Day, days: Int64) -> Day { Day(number: day.number + days) }
  static func < (one: Day, other: Day) -> Bool { one.number < other.number }
}
