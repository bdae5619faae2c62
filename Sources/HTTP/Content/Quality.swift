/// The weight of a value that a client accepts.
enum Quality {
  /// `qvalue` (RFC 9110, section 12.4.2): from 0 to 1 with at most three decimals.
  static func thousandths(_ text: String) -> Int? {
    let digits = Array(text.utf8)
    guard let first = digits.first, first == 0x30 || first == 0x31, digits.count <= 5 else { return nil }
    var value = Int(first - 0x30) * 1000
    guard digits.count > 1 else { return value }
    guard digits[1] == UInt8(ascii: ".") else { return nil }
    var unit = 100
    for digit in digits[2...] {
      guard digit >= 0x30, digit <= 0x39 else { return nil }
      value += Int(digit - 0x30) * unit
      unit /= 10
    }
    return value <= 1000 ? value : nil
  }
}
