import GraphQL

/// The custom scalars of the schema.
enum Scalars {
  static let coercions: [String: ScalarCoercion] = [
    "DateTime": dateTime, "Date": date, "Upload": .file(named: "Upload"),
  ]

  /// Accepts RFC 3339 with an offset, and represents it as milliseconds since 1970.
  static let dateTime = ScalarCoercion(format: .dateTime) { value, _, shown throws(ScalarError) in
    guard case .string(let text) = value, let moment = Moment.parse(text) else {
      throw ScalarError(
        "DateTime must be a date and time with an offset, like \"2026-11-21T08:05:00Z\", not \(shown())"
      )
    }
    guard Timestamp.range.contains(moment) else {
      throw ScalarError("DateTime must be from 0001-01-02 to 9999-12-30 in UTC, not \(shown())")
    }
    return .int(moment)
  }

  static let date = ScalarCoercion(format: .text) { value, _, shown throws(ScalarError) in
    guard case .string(let text) = value, CalendarDay.isValid(text) else {
      throw ScalarError("Date must be a calendar date, like \"2018-05-01\", not \(shown())")
    }
    return value
  }
}

/// Points in time as text (RFC 3339, section 5.6).
enum Moment {
  /// Parses to milliseconds since 1970, and truncates finer fractions. A leap second is treated as the next second.
  static func parse(_ text: String) -> Int64? { parse(text.utf8.span) }

  private static func parse(_ text: Span<UInt8>) -> Int64? {
    guard (20...40).contains(text.count), let date = CalendarDay.parts(atStartOf: text),
      text[10] | 0x20 == UInt8(ascii: "t"),
      let hour = text.number(at: 11, digits: 2), hour <= 23, text.has(":", at: 13),
      let minute = text.number(at: 14, digits: 2), minute <= 59, text.has(":", at: 16),
      let second = text.number(at: 17, digits: 2), second <= 60,
      let (millisecond, end) = fraction(text, at: 19), let offset = offset(text, at: end)
    else { return nil }
    let ofDay = ((hour * 60 + minute - offset) * 60 + second) * 1000 + millisecond
    let day = Day(year: Int64(date.year), month: Int64(date.month), day: Int64(date.day))
    return day.number * Milliseconds.day + ofDay
  }

  /// The milliseconds of a fraction, if there is one, and where it ends.
  private static func fraction(_ text: Span<UInt8>, at start: Int) -> (milliseconds: Int64, end: Int)? {
    guard text.has(".", at: start) else { return (0, start) }
    var (milliseconds, unit, end) = (Int64(0), Int64(100), start + 1)
    while let digit = text.number(at: end, digits: 1) {
      milliseconds += digit * unit
      (unit, end) = (unit / 10, end + 1)
    }
    return end > start + 1 ? (milliseconds, end) : nil
  }

  /// Minutes east of UTC.
  private static func offset(_ text: Span<UInt8>, at start: Int) -> Int64? {
    guard start < text.count else { return nil }
    if text[start] | 0x20 == UInt8(ascii: "z") { return start + 1 == text.count ? 0 : nil }
    guard text.count == start + 6, text.has("+", at: start) || text.has("-", at: start),
      let hours = text.number(at: start + 1, digits: 2), hours <= 23, text.has(":", at: start + 3),
      let minutes = text.number(at: start + 4, digits: 2), minutes <= 59
    else { return nil }
    return (hours * 60 + minutes) * (text.has("-", at: start) ? -1 : 1)
  }
}
