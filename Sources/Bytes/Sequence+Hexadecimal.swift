extension Sequence<UInt8> {
  /// The bytes in hexadecimal digits: two for each, in lower case.
  @inlinable
  package var hexadecimal: String { String(decoding: hexadecimalDigits, as: UTF8.self) }

  /// The digits of `hexadecimal` in ASCII.
  @inlinable
  package var hexadecimalDigits: [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * underestimatedCount)
    func append(_ digit: UInt8) {
      digits.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
    for byte in self {
      append(byte >> 4)
      append(byte & 15)
    }
    return digits
  }
}
