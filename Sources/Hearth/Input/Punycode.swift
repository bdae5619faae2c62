/// Text as ASCII letters, digits and hyphens (RFC 3492).
enum Punycode {
  private static let base = 36
  private static let firstBias = 72
  /// The first character that is not ASCII.
  private static let firstScalar = 0x80

  static func encode(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { Int($0.value) }
    var encoded = String(String.UnicodeScalarView(text.unicodeScalars.filter(\.isASCII)))
    let basicCount = encoded.utf8.count
    if basicCount > 0 { encoded += "-" }
    var (scalar, delta, bias, count) = (firstScalar, 0, firstBias, basicCount)
    // The other characters are inserted from the lowest to the highest. `delta` counts the places that are skipped.
    while let next = scalars.filter({ $0 >= scalar }).min() {
      delta += (next - scalar) * (count + 1)
      for other in scalars {
        if other < next { delta += 1 }
        guard other == next else { continue }
        encoded += digits(of: delta, bias: bias)
        bias = adapted(delta, count: count + 1, isFirst: count == basicCount)
        delta = 0
        count += 1
      }
      delta += 1
      scalar = next + 1
    }
    return encoded
  }

  /// A number whose last digit is recognized by its size (section 3.3).
  private static func digits(of number: Int, bias: Int) -> String {
    var (rest, digits, position) = (number, "", base)
    while true {
      let threshold = min(max(position - bias, 1), 26)
      guard rest >= threshold else { return digits + digit(rest) }
      digits += digit(threshold + (rest - threshold) % (base - threshold))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
  }

  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")

  private static func digit(_ value: Int) -> String { String(alphabet[value]) }

  /// The bias for the next number, which is likely to be of a similar size (section 3.4).
  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var rest = delta / (isFirst ? 700 : 2)
    rest += rest / count
    var steps = 0
    while rest > (base - 1) * 26 / 2 {
      rest /= base - 1
      steps += base
    }
    return steps + base * rest / (rest + 38)
  }
}
