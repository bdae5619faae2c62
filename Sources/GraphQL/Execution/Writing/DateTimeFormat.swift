import Bytes

extension ByteBuffer {
  /// Appends a moment as RFC 3339 in UTC, quoted: `"2026-11-21T08:05:00Z"`, with milliseconds where there are any.
  mutating func append(dateTime milliseconds: Int64) {
    let day = milliseconds.dividedRoundingDown(by: 86_400_000)
    let ofDay = milliseconds - day * 86_400_000
    let (year, month, dayOfMonth) = Self.civil(daysSince1970: day)
    append(UInt8(ascii: "\""))
    append(padded: year, 4)
    append(UInt8(ascii: "-"))
    append(padded: month, 2)
    append(UInt8(ascii: "-"))
    append(padded: dayOfMonth, 2)
    append(UInt8(ascii: "T"))
    append(padded: ofDay / 3_600_000, 2)
    append(UInt8(ascii: ":"))
    append(padded: ofDay / 60_000 % 60, 2)
    append(UInt8(ascii: ":"))
    append(padded: ofDay / 1000 % 60, 2)
    if ofDay % 1000 != 0 {
      append(UInt8(ascii: "."))
      append(padded: ofDay % 1000, 3)
    }
    append("Z\"")
  }

  private mutating func append(padded number: Int64, _ digits: Int) {
    appendUnsafe(capacity: digits) { room in
      var rest = number
      for place in stride(from: digits - 1, through: 0, by: -1) {
        room.storeBytes(of: UInt8(truncatingIfNeeded: rest % 10) &+ 0x30, toByteOffset: place, as: UInt8.self)
        rest /= 10
      }
      return digits
    }
  }

  /// The proleptic Gregorian date of a day, counted in eras of 400 years that begin in March, so that the leap day is
  /// the last of its year.
  private static func civil(daysSince1970: Int64) -> (Int64, Int64, Int64) {
    let days = daysSince1970 + 719_468
    let era = days.dividedRoundingDown(by: 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension Int64 {
  fileprivate func dividedRoundingDown(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
