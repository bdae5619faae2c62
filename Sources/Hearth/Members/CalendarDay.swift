/// Days of the calendar as `YYYY-MM-DD`, which sorts and compares as text.
enum CalendarDay {
  /// The day of a moment in UTC.
  static func text(ofMilliseconds milliseconds: Int64) -> String {
    let (year, month, day) = civil(ofDay: milliseconds >= 0 ? milliseconds / 86_400_000 : -1)
    return text(year, month, day)
  }

  /// Whole years between a birthday and a day.
  static func age(born: String, on day: String) -> Int64? {
    guard let birth = parts(of: born), let today = parts(of: day) else { return nil }
    let hadBirthday = (today.month, today.day) >= (birth.month, birth.day)
    return Int64(today.year - birth.year - (hadBirthday ? 0 : 1))
  }

  /// The same day so many years before; the 28th where a 29 February has none.
  static func years(_ years: Int, before day: String) -> String? {
    guard let (year, month, dayOfMonth) = parts(of: day) else { return nil }
    return text(year - years, month, min(dayOfMonth, length(ofMonth: month, year - years)))
  }

  /// Whether the text is a day that the calendar has.
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

  private static func text(_ year: Int, _ month: Int, _ day: Int) -> String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  private static func civil(ofDay day: Int64) -> (Int, Int, Int) {
    var year = 1970
    var rest = Int(day)
    while true {
      let days = length(ofMonth: 2, year) == 29 ? 366 : 365
      if rest < days { break }
      rest -= days
      year += 1
    }
    var month = 1
    while rest >= length(ofMonth: month, year) {
      rest -= length(ofMonth: month, year)
      month += 1
    }
    return (year, month, rest + 1)
  }
}
