import Bytes

extension ByteBuffer {
  /// The moments of the years 0000 to 9999: RFC 3339 has no others.
  static var dateTimes: ClosedRange<Int64> { -62_167_219_200_000...253_402_300_799_999 }

  /// Appends a moment as RFC 3339 in UTC, quoted: `"2026-11-21T08:05:00Z"`, with milliseconds where there are any.
  /// `milliseconds` is one of `dateTimes`.
  mutating func append(dateTime milliseconds: Int64) {
    assert(Self.dateTimes.contains(milliseconds))
    // Counted from the first day of 0000, so that everything is positive and fits 32 bits.
    let sinceYearZero = UInt64(bitPattern: milliseconds &- Self.dateTimes.lowerBound)
    let day = UInt32(truncatingIfNeeded: sinceYearZero / 86_400_000)
    let ofDay = UInt32(truncatingIfNeeded: sinceYearZero % 86_400_000)
    let (year, month, dayOfMonth) = Self.civil(daysSinceYearZero: day)
    let second = ofDay / 1000
    let rest = ofDay % 1000
    appendUnsafe(capacity: 32) { room in
      func put(_ byte: UInt8, _ place: Int) { room.storeBytes(of: byte, toByteOffset: place, as: UInt8.self) }
      func put(twoDigits number: UInt32, _ place: Int) {
        put(UInt8(truncatingIfNeeded: number / 10) &+ 0x30, place)
        put(UInt8(truncatingIfNeeded: number % 10) &+ 0x30, place &+ 1)
      }
      put(UInt8(ascii: "\""), 0)
      put(twoDigits: year / 100, 1)
      put(twoDigits: year % 100, 3)
      put(UInt8(ascii: "-"), 5)
      put(twoDigits: month, 6)
      put(UInt8(ascii: "-"), 8)
      put(twoDigits: dayOfMonth, 9)
      put(UInt8(ascii: "T"), 11)
      put(twoDigits: second / 3600, 12)
      put(UInt8(ascii: ":"), 14)
      put(twoDigits: second / 60 % 60, 15)
      put(UInt8(ascii: ":"), 17)
      put(twoDigits: second % 60, 18)
      var end = 20
      if rest != 0 {
        put(UInt8(ascii: "."), 20)
        put(UInt8(truncatingIfNeeded: rest / 100) &+ 0x30, 21)
        put(twoDigits: rest % 100, 22)
        end = 24
      }
      put(UInt8(ascii: "Z"), end)
      put(UInt8(ascii: "\""), end &+ 1)
      return end &+ 2
    }
  }

  /// The proleptic Gregorian date of a day, counted in eras of 400 years that begin in March, so that the leap day is
  /// the last of its year.
  @inline(__always)
  private static func civil(daysSinceYearZero: UInt32) -> (year: UInt32, month: UInt32, day: UInt32) {
    // The era before the one that begins in March 0000 ends 60 days after the first of January of that year.
    let days = daysSinceYearZero &+ 146_097 &- 60
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra &- dayOfEra / 1460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
    let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
    let day = dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1
    let month = monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9
    return (yearOfEra &+ era &* 400 &- 400 &+ (month <= 2 ? 1 : 0), month, day)
  }
}
