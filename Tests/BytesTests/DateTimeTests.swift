import Bytes
import Foundation
import Testing

@Suite("Times as text")
struct DateTimeTests {
  static func text(_ milliseconds: Int64) -> String {
    var buffer = ByteBuffer()
    buffer.append(dateTime: milliseconds)
    return String(decoding: buffer.array(), as: UTF8.self)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"), (1, "1970-01-01T00:00:00.001Z"),
      (951_782_400_000, "2000-02-29T00:00:00Z"), (4_107_542_399_000, "2100-02-28T23:59:59Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00Z"), (1_795_248_300_050, "2026-11-21T08:05:00.050Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00Z"), (-62_162_035_200_001, "0000-02-29T23:59:59.999Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)]
  )
  func `are written as RFC 3339 in UTC`(milliseconds: Int64, expected: String) {
    #expect(Self.text(milliseconds) == "\"\(expected)\"")
  }

  @Test func `agree with Foundation on every hundredth day of a thousand years`() throws {
    let style = Date.ISO8601FormatStyle()
    for day in stride(from: -100_000, to: 265_000, by: 100) {
      let milliseconds = Int64(day) * 86_400_000 + Int64(day.magnitude % 86_400) * 1000
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      #expect(Self.text(milliseconds) == "\"\(date.formatted(style))\"")
    }
  }

  @Test func `a date and its number of days are inverse, before and after every leap day`() {
    var expected = CivilDate(year: -801, month: 12, day: 31)
    var days = expected.daysSince1970
    for year in Int64(-800)...2800 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for (month, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
        for day in [1, Int64(length)] {
          days += day == 1 ? 1 : Int64(length) - 1
          expected = CivilDate(year: year, month: Int64(month) + 1, day: day)
          #expect(CivilDate(daysSince1970: days) == expected)
          #expect(expected.daysSince1970 == days)
        }
      }
    }
  }
}
