extension ByteBuffer {
  /// The range of times that RFC 3339 can express, the years 0000 to 9999, in milliseconds since 1970.
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
      func put(_ byte: UInt8, at offset: Int) { room.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self) }
      func put(twoDigits number: UInt32, at offset: Int) {
        put(UInt8(truncatingIfNeeded: number / 10) &+ 0x30, at: offset)
        put(UInt8(truncatingIfNeeded: number % 10) &+ 0x30, at: offset &+ 1)
      }
      put(UInt8(ascii: "\""), at: 0)
      put(twoDigits: year / 100, at: 1)
      put(twoDigits: year % 100, at: 3)
      put(UInt8(ascii: "-"), at: 5)
      put(twoDigits: UInt32(truncatingIfNeeded: date.month), at: 6)
      put(UInt8(ascii: "-"), at: 8)
      put(twoDigits: UInt32(truncatingIfNeeded: date.day), at: 9)
      put(UInt8(ascii: "T"), at: 11)
      put(twoDigits: second / 3600, at: 12)
      put(UInt8(ascii: ":"), at: 14)
      put(twoDigits: second / 60 % 60, at: 15)
      put(UInt8(ascii: ":"), at: 17)
      put(twoDigits: second % 60, at: 18)
      var end = 20
      if rest != 0 {
        put(UInt8(ascii: "."), at: 20)
        put(UInt8(truncatingIfNeeded: rest / 100) &+ 0x30, at: 21)
        put(twoDigits: rest % 100, at: 22)
        end = 24
      }
      put(UInt8(ascii: "Z"), at: end)
      put(UInt8(ascii: "\""), at: end &+ 1)
      return end &+ 2
    }
  }
}
