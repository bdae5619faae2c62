extension ByteBuffer {
  /// The milliseconds since 1970 that RFC 3339 can express: the years 0000 to 9999.
  package static var dateTimes: ClosedRange<Int64> { -62_167_219_200_000...253_402_300_799_999 }

  /// Appends a time as RFC 3339 in UTC, quoted: `"2026-11-21T08:05:00Z"`, with milliseconds where they are not zero.
  /// `milliseconds` must be in `dateTimes`.
  package mutating func append(dateTime milliseconds: Int64) {
    assert(Self.dateTimes.contains(milliseconds))
    // Counted from the first day of 0000, so that everything is positive and the time of day fits 32 bits.
    let sinceYearZero = UInt64(bitPattern: milliseconds &- Self.dateTimes.lowerBound)
    let ofDay = UInt32(truncatingIfNeeded: sinceYearZero % 86_400_000)
    let date = CivilDate(daysSince1970: Int64(bitPattern: sinceYearZero / 86_400_000) &- 719_528)
    let year = UInt32(truncatingIfNeeded: date.year)
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
      put(twoDigits: UInt32(truncatingIfNeeded: date.month), 6)
      put(UInt8(ascii: "-"), 8)
      put(twoDigits: UInt32(truncatingIfNeeded: date.day), 9)
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
}
