/// The range that a Range header requests of a representation of known length (RFC 9110, section 14).
package enum ByteRangeRequest: Equatable, Sendable {
  /// The entire representation: there is no header, or it is ignored because it is not supported, such as several
  /// ranges.
  case whole
  case part(Range<Int>)
  /// The range lies outside of the representation.
  case unsatisfiable

  package init(_ header: ArraySlice<UInt8>?, of count: Int) {
    self = .whole
    guard let header, header.prefix(6).equalsIgnoringCase("bytes=") else { return }
    let spec = header.dropFirst(6)
    guard let hyphen = spec.firstIndex(of: UInt8(ascii: "-")) else { return }
    let (before, after) = (spec[..<hyphen], spec[(hyphen + 1)...])
    guard let first = Self.number(before), let last = Self.number(after) else { return }
    switch (first, last) {
    case (nil, nil): return
    case (nil, let suffix?):
      self = suffix == 0 || count == 0 ? .unsatisfiable : .part(max(0, count - suffix)..<count)
    case (let first?, let last):
      if let last, last < first { return }
      self = first >= count ? .unsatisfiable : .part(first..<min((last ?? count - 1) + 1, count))
    }
  }

  /// The number; `.some(nil)` if there are no digits, and nil if there are other characters.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int?? {
    if digits.isEmpty { return .some(nil) }
    // A number with more digits is beyond the end of any representation.
    guard digits.count <= 18, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
