/// What a Range header asks for of a thing of so many bytes (RFC 9110, section 14).
package enum ByteRangeRequest: Equatable, Sendable {
  /// All of it: nothing was asked for, or something that is not understood and so ignored, as several ranges are here.
  case whole
  case part(Range<Int>)
  /// What was asked for is not in it.
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

  /// A number, none where nothing is written, and nil in place of both where something else is.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int?? {
    if digits.isEmpty { return .some(nil) }
    // What has more digits lies beyond everything.
    guard digits.count <= 18, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
