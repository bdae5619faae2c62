/// Text with digits at known places, such as a date. Reads the bytes in place.
extension Span<UInt8> {
  /// The number that `count` digits represent; nil if the text has others there, or ends before.
  func number(at start: Int, digits count: Int) -> Int64? {
    guard start >= 0, start + count <= self.count else { return nil }
    var number: Int64 = 0
    for index in start..<start + count {
      let digit = self[index]
      guard (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + Int64(digit - 0x30)
    }
    return number
  }

  func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
    index < count && self[index] == UInt8(ascii: character)
  }
}
