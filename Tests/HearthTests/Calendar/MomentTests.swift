import Basics
import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("Points in time as text")
struct MomentTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:00z", 0), ("1970-01-01T00:00:00.5Z", 500),
    ("1970-01-01T00:00:00.05Z", 50), ("1970-01-01T00:00:00.123456789012345Z", 123),
    ("1970-01-01T02:30:00+02:30", 0), ("1969-12-31T23:00:00-01:00", 0), ("1970-01-01T00:00:00.25+00:00", 250),
    ("1969-12-31T23:59:60Z", 0), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999), ("2024-02-29T12:00:00Z", 1_709_208_000_000),
  ])
  func `a date and time with an offset is a number of milliseconds`(text: String, milliseconds: Int64) {
    #expect(Moment.parse(text) == milliseconds)
  }

  @Test(arguments: [
    "", "2026-11-21", "2026-11-21T08:05:00", "2026-11-21 08:05:00Z", "2026-11-21T08:05Z", "2026-11-21T8:05:00Z",
    "2026-11-21T08:05:00.Z", "2026-11-21T08:05:00,5Z", "2026-11-21T08:05:00Z ", "2026-11-21T08:05:00ZZ",
    "2026-11-21T24:00:00Z", "2026-11-21T08:60:00Z", "2026-11-21T08:05:61Z", "2026-11-21T08:05:00+24:00",
    "2026-11-21T08:05:00+02:60", "2026-11-21T08:05:00+0200", "2026-11-21T08:05:00+02", "2026-11-21T08:05:00+02:0",
    "2026-11-21T08:05:00+02:000", "2026-11-21T08:05:00~02:00", "2026-13-21T08:05:00Z", "2026-00-21T08:05:00Z",
    "2026-02-29T08:05:00Z", "2026-11-31T08:05:00Z", "2026-11-00T08:05:00Z", "0000-11-21T08:05:00Z",
    "2026/11/21T08:05:00Z", "+026-11-21T08:05:00Z", "2026-11-21T08:05:0\u{661}Z", "２026-11-21T08:05:00Z",
    "2026-11-21T08:05:00.12345678901234567890Z",
  ])
  func `other text is rejected`(text: String) {
    #expect(Moment.parse(text) == nil)
  }

  @Test func `Foundation reads the same`() throws {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      // Since 1583: Foundation counts the days before in the Julian calendar.
      let milliseconds = Int64.random(in: -12_212_553_600_000...250_000_000_000_000, using: &random)
      let text = style.format(Date(timeIntervalSince1970: Double(milliseconds) / 1000))
      let read = try style.parse(text).timeIntervalSince1970
      #expect(Moment.parse(text) == Int64((read * 1000).rounded()), "\(text)")
    }
  }
}
