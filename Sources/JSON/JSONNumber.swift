/// Converts the text of a number that was found to be well-formed.
enum JSONNumber {
  /// Nil if the number does not fit. `digits` has no fraction or exponent.
  static func int64(_ digits: UnsafeRawBufferPointer) -> Int64? {
    let isNegative = digits.first == UInt8(ascii: "-")
    var value: Int64 = 0
    for digit in digits.dropFirst(isNegative ? 1 : 0) {
      // Counts downwards, because there is one more negative number than positive ones.
      let (tens, tensOverflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflow) = tens.subtractingReportingOverflow(Int64(digit &- 0x30))
      if tensOverflow || sumOverflow { return nil }
      value = sum
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// The nearest `Double`, or nil if it would be infinite.
  static func double(_ text: UnsafeRawBufferPointer) -> Double? {
    if let value = exactDouble(text) { return value }
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
    return value
  }

  /// The fast path for numbers with few digits: if the digits form an integer below 2^53 and the power of ten is at
  /// most 10^22, both are exact, so their product or quotient is the nearest `Double`.
  private static func exactDouble(_ text: UnsafeRawBufferPointer) -> Double? {
    guard text.count <= 24 else { return nil }
    var mantissa: UInt64 = 0
    var exponent = 0
    var isFraction = false
    var at = text.first == UInt8(ascii: "-") ? 1 : 0
    while at < text.count {
      let byte = text[at]
      at &+= 1
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      if byte | 0x20 == UInt8(ascii: "e") {
        guard let power = int64(UnsafeRawBufferPointer(rebasing: text[at...]).withoutPlus) else { return nil }
        guard power.magnitude <= 64 else { return nil }
        exponent &+= Int(power)
        break
      }
      guard mantissa < 900_719_925_474_099 else { return nil }
      mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)
      if isFraction { exponent &-= 1 }
    }
    guard exponent.magnitude <= 22 else { return nil }
    var power = 1.0
    for _ in 0..<exponent.magnitude { power *= 10 }
    let value = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
    return text.first == UInt8(ascii: "-") ? -value : value
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var withoutPlus: UnsafeRawBufferPointer {
    first == UInt8(ascii: "+") ? UnsafeRawBufferPointer(rebasing: self[1...]) : self
  }
}
