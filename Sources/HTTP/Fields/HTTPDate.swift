import Bytes

/// A time in the form of headers: `Sun, 06 Nov 1994 08:49:37 GMT`, the IMF-fixdate of RFC 9110, section 5.6.7.
/// Formatted when it is created, which a server does once per second.
package struct HTTPDate: Sendable, Equatable {
  package let epochSeconds: Int64
  /// `Date: …` and CR LF. Not an array, which each response would retain.
  private let headerLine: InlineArray<37, UInt8>

  /// `epochSeconds` counts from 1970-01-01T00:00:00Z. Years have four digits: earlier and later times are clamped to
  /// the years 0000 to 9999.
  package init(epochSeconds: Int64) {
    let seconds = max(-62_167_219_200, min(epochSeconds, 253_402_300_799))
    self.epochSeconds = seconds
    var line = Array("Date: ".utf8)
    Self.append(seconds, to: &line)
    line.append(0x0D)
    line.append(0x0A)
    headerLine = InlineArray { line[$0] }
  }

  package static func == (one: HTTPDate, other: HTTPDate) -> Bool { one.epochSeconds == other.epochSeconds }

  package var text: String {
    headerLine.span.withUnsafeBytes { String(decoding: $0[6..<35], as: UTF8.self) }
  }

  func appendHeaderLine(to output: inout ByteBuffer) {
    headerLine.span.withUnsafeBytes { output.append($0) }
  }

  private static func append(_ seconds: Int64, to line: inout [UInt8]) {
    let (days, ofDay) = floorDivide(seconds, by: 86_400)
    let date = CivilDate(daysSince1970: days)
    // 1970-01-01 was a Thursday.
    let weekday = floorDivide(days + 4, by: 7).remainder
    line.append(contentsOf: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(weekday)].utf8)
    line.append(contentsOf: ", ".utf8)
    append(date.day, digits: 2, to: &line)
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    line.append(contentsOf: " \(months[Int(date.month) - 1]) ".utf8)
    append(date.year, digits: 4, to: &line)
    line.append(0x20)
    append(ofDay / 3600, digits: 2, to: &line)
    line.append(0x3A)
    append(ofDay / 60 % 60, digits: 2, to: &line)
    line.append(0x3A)
    append(ofDay % 60, digits: 2, to: &line)
    line.append(contentsOf: " GMT".utf8)
  }

  private static func append(_ number: Int64, digits: Int, to line: inout [UInt8]) {
    var divisor: Int64 = digits == 4 ? 1000 : 10
    for _ in 0..<digits {
      line.append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }

  private static func floorDivide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
