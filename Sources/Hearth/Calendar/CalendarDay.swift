/// Calendar days as `YYYY-MM-DD`, which sort and compare as text.
enum CalendarDay {
  /// The number of whole years between a birthday and a day. 0 if the birthday is later: of a child who was born today,
  /// in a family that then moves to a time zone where it is still yesterday.
  static func age(born: String, on day: String) -> Int64? {
    guard let birth = parts(of: born), let today = parts(of: day) else { return nil }
    let hadBirthday = (today.month, today.day) >= (birth.month, birth.day)
    return max(0, Int64(today.year - birth.year - (hadBirthday ? 0 : 1)))
  }

  /// The same day `years` earlier. 29 February becomes 28 February in a year without it.
  static func years(_ years: Int, before day: String) -> String? {
    guard let (year, month, dayOfMonth) = parts(of: day) else { return nil }
    let day = min(dayOfMonth, length(ofMonth: month, year - years))
    return Day(year: Int64(year - years), month: Int64(month), day: Int64(day)).text
  }

  /// Whether the text is an existing day of the calendar.
  static func isValid(_ text: String) -> Bool { parts(of: text) != nil }

  private static func parts(of text: String) -> (year: Int, month: Int, day: Int)? {
    let bytes = text.utf8.span
    return bytes.count == length ? parts(atStartOf: bytes) : nil
  }

  /// The number of bytes of a day.
  static let length = 10

  /// The day with which a text begins; nil if that does not exist.
  static func parts(atStartOf text: Span<UInt8>) -> (year: Int, month: Int, day: Int)? {
    guard text.has("-", at: 4), text.has("-", at: 7), let year = text.number(at: 0, digits: 4),
      let month = text.number(at: 5, digits: 2), let day = text.number(at: 8, digits: 2), year >= 1,
      (1...12).contains(month), day >= 1, day <= length(ofMonth: Int(month), Int(year))
    else { return nil }
    return (Int(year), Int(month), Int(day))
  }

  static func length(ofMonth month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
