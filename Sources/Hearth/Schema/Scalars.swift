import GraphQL

/// The custom scalars of the schema.
enum Scalars {
  static let coercions: [String: ScalarCoercion] = ["DateTime": dateTime, "Date": date, "Upload": upload]

  /// Accepts RFC 3339 with an offset, and represents it as milliseconds since 1970.
  static let dateTime = ScalarCoercion(format: .dateTime) { value, _, shown throws(ScalarError) in
    guard case .string(let text) = value, let moment = Moment.parse(text) else {
      throw ScalarError(
        "DateTime must be a date and time with an offset, like \"2026-11-21T08:05:00Z\", not \(shown())"
      )
    }
    return .int(moment)
  }

  static let date = ScalarCoercion(format: .text) { value, _, shown throws(ScalarError) in
    guard case .string(let text) = value, CalendarDay.isValid(text) else {
      throw ScalarError("Date must be a calendar date, like \"2018-05-01\", not \(shown())")
    }
    return value
  }

  static let upload = ScalarCoercion { value, _, shown throws(ScalarError) in
    guard case .upload = value else {
      throw ScalarError("Upload must be a file of a multipart request, not \(shown())")
    }
    return value
  }
}

/// Points in time as text (RFC 3339, section 5.6).
enum Moment {
  /// Parses to milliseconds since 1970, and truncates finer fractions. A leap second is treated as the next second.
  static func parse(_ text: String) -> Int64? {
    var rest = Array(text.utf8)[...]
    guard rest.count >= 20, rest.count <= 40, CalendarDay.isValid(String(decoding: rest.prefix(10), as: UTF8.self)),
      let year = number(rest.prefix(4)), let month = number(rest.dropFirst(5).prefix(2)),
      let day = number(rest.dropFirst(8).prefix(2))
    else { return nil }
    rest = rest.dropFirst(10)
    guard let separator = rest.popFirst(), separator | 0x20 == UInt8(ascii: "t"),
      let hour = take(2, from: &rest), hour <= 23, rest.popFirst() == UInt8(ascii: ":"),
      let minute = take(2, from: &rest), minute <= 59, rest.popFirst() == UInt8(ascii: ":"),
      let second = take(2, from: &rest), second <= 60
    else { return nil }
    var millisecond: Int64 = 0
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty, let fraction = number((Array(digits.prefix(3)) + [0x30, 0x30]).prefix(3)) else {
        return nil
      }
      millisecond = fraction
      rest = rest.dropFirst(digits.count)
    }
    guard let offset = offset(rest) else { return nil }
    let ofDay = ((hour * 60 + minute - offset) * 60 + second) * 1000 + millisecond
    return Day(year: year, month: month, day: day).number * 86_400_000 + ofDay
  }

  /// Minutes east of UTC.
  private static func offset(_ text: ArraySlice<UInt8>) -> Int64? {
    var rest = text
    guard let sign = rest.popFirst() else { return nil }
    if sign | 0x20 == UInt8(ascii: "z") { return rest.isEmpty ? 0 : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = take(2, from: &rest), hours <= 23,
      rest.popFirst() == UInt8(ascii: ":"), let minutes = take(2, from: &rest), minutes <= 59, rest.isEmpty
    else { return nil }
    return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }

  private static func take(_ count: Int, from text: inout ArraySlice<UInt8>) -> Int64? {
    guard text.count >= count else { return nil }
    defer { text = text.dropFirst(count) }
    return number(text.prefix(count))
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var number: Int64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + Int64(digit - 0x30)
    }
    return number
  }
}
