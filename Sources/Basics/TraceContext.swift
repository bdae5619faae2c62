/// The identity of a span, as it is passed between programs (W3C Trace Context).
package struct TraceContext: Sendable, Equatable {
  /// The halves of the trace's id. One of them is not 0.
  package let high: UInt64
  package let low: UInt64
  /// The id of the span. Never 0.
  package let span: UInt64
  package let isSampled: Bool

  package init(high: UInt64, low: UInt64, span: UInt64, isSampled: Bool) {
    self.high = high
    self.low = low
    self.span = span
    self.isSampled = isSampled
  }

  /// Parses the value of a `traceparent` header. Returns nil for a value that is not valid: a new trace then begins.
  ///
  /// Later versions of the format can have more after the flags, behind a hyphen.
  package init?(parsing value: ArraySlice<UInt8>) {
    let bytes = Array(value.prefix(Self.length + 1))
    guard bytes.count >= Self.length, bytes[2] == Self.hyphen, bytes[35] == Self.hyphen, bytes[52] == Self.hyphen,
      let version = Self.number(bytes[0..<2]), version != 0xFF,
      bytes.count == Self.length || (version > 0 && bytes[Self.length] == Self.hyphen),
      let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]), high | low != 0,
      let span = Self.number(bytes[36..<52]), span != 0, let flags = Self.number(bytes[53..<55])
    else { return nil }
    self.init(high: high, low: low, span: span, isSampled: flags & 1 == 1)
  }

  /// The id of the trace in hexadecimal digits.
  package var traceID: String { Self.hexadecimal(high) + Self.hexadecimal(low) }

  private static let length = 55
  private static let hyphen = UInt8(ascii: "-")

  /// Capital letters are not valid in the header.
  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    return number
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
