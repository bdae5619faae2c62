/// Calendar days as `YYYY-MM-DD`, which sort and compare as text.
enum CalendarDay {
  /// The number of whole years between a birthday and a day.
  static func age(born: String, on day: String) -> Int64? {
    guard let birth = parts(of: born), let today = parts(of: day) else { return nil }
    let hadBirthday = (today.month, today.day) >= (birth.month, birth.day)
    return Int64(today.year - birth.year - (hadBirthday ? 0 : 1))
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
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
      year >= 1, (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year)
    else { return nil }
    return (year, month, day)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var number = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + Int(digit - 0x30)
    }
    return number
  }

  static func length(ofMonth month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}
