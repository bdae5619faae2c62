extension JSONReader {
  /// `[ "-" ] int [ frac ] [ exp ]` (RFC 8259, section 6).
  mutating func readNumber() throws(JSONError) {
    var end = at
    if byte(end) == UInt8(ascii: "-") { end &+= 1 }
    let first = end
    end = try digitsEnd(from: end)
    // Leading zeros are invalid.
    if byte(first) == UInt8(ascii: "0"), end > first &+ 1 { throw failure(.malformedNumber, at: at) }
    var kind = JSONNode.Kind.integer
    if end < count, byte(end) == UInt8(ascii: ".") {
      kind = .decimal
      end = try digitsEnd(from: end &+ 1)
    }
    if end < count, byte(end) | 0x20 == UInt8(ascii: "e") {
      kind = .decimal
      end &+= 1
      if end < count, byte(end) == UInt8(ascii: "+") || byte(end) == UInt8(ascii: "-") { end &+= 1 }
      end = try digitsEnd(from: end)
    }
    if end &- at > limits.numberBytes { throw failure(.numberTooLong, at: at) }
    append(kind, upTo: end)
  }

  /// The end of the digits that begin at `start`. There must be at least one.
  @inline(__always)
  private func digitsEnd(from start: Int) throws(JSONError) -> Int {
    var end = start
    while end < count, byte(end) &- 0x30 < 10 { end &+= 1 }
    if end > start { return end }
    throw end == count ? failure(.unexpectedEnd, at: count) : failure(.malformedNumber, at: at)
  }
}
