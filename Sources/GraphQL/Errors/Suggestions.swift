/// Names similar to an undefined name, for messages with "Did you mean …?". The distance and the order are those of
/// graphql-js.
package enum Suggestions {
  private static let maximum = 5
  /// A longer name is not a typing mistake, and computing the distance takes time quadratic in the length.
  private static let maximumLength = 200

  package static func didYouMean(_ purpose: String, suggestions: [String]) -> String {
    guard !suggestions.isEmpty else { return "" }
    let quoted = suggestions.prefix(maximum).map { "\"\($0)\"" }
    let list =
      switch quoted.count {
      case 1: quoted[0]
      case 2: "\(quoted[0]) or \(quoted[1])"
      default: quoted.dropLast().joined(separator: ", ") + ", or " + quoted[quoted.count - 1]
      }
    return " Did you mean \(purpose.isEmpty ? "" : purpose + " ")\(list)?"
  }

  package static func list(for input: String, among options: [String]) -> [String] {
    guard input.utf8.count <= maximumLength else { return [] }
    let threshold = Int(Double(input.count) * 0.4) + 1
    return options.compactMap { option in
      distance(from: input, to: option, threshold: threshold).map { (option, $0) }
    }
    .sorted { one, other in
      one.1 != other.1 ? one.1 < other.1 : naturallyPrecedes(one.0, other.0)
    }
    .map(\.0)
  }

  /// The edit distance between two names: insertions, deletions, substitutions and transpositions of neighbours. Names
  /// that differ only in case have the distance 1. Returns nil if the distance exceeds the threshold.
  static func distance(from input: String, to option: String, threshold: Int) -> Int? {
    if input == option { return 0 }
    var a = Array(option.lowercased().utf8)
    var b = Array(input.lowercased().utf8)
    if a == b { return 1 }
    if a.count < b.count { swap(&a, &b) }
    if a.count - b.count > threshold { return nil }
    var beforeLast = Array(repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    var row = beforeLast
    for i in 1..<(a.count + 1) {
      row[0] = i
      var smallest = i
      for j in 1..<(b.count + 1) {
        var cell = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { cell = min(cell, beforeLast[j - 2] + 1) }
        smallest = min(smallest, cell)
        row[j] = cell
      }
      if smallest > threshold { return nil }
      (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[b.count] <= threshold ? last[b.count] : nil
  }

  /// Compares sequences of digits as numbers, so that `name2` precedes `name10`.
  static func naturallyPrecedes(_ one: String, _ other: String) -> Bool {
    let (a, b) = (Array(one.utf8), Array(other.utf8))
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      if isDigit(a[i]) && isDigit(b[j]) {
        let (number, otherNumber) = (digits(a, at: &i), digits(b, at: &j))
        if number.count != otherNumber.count { return number.count < otherNumber.count }
        if number != otherNumber { return number.lexicographicallyPrecedes(otherNumber) }
      } else {
        if a[i] != b[j] { return a[i] < b[j] }
        i += 1
        j += 1
      }
    }
    return a.count - i < b.count - j
  }

  /// Returns the digits from `at` without leading zeros, and advances `at` to the end of the digits.
  private static func digits(_ bytes: [UInt8], at: inout Int) -> ArraySlice<UInt8> {
    let start = at
    while at < bytes.count, isDigit(bytes[at]) { at += 1 }
    return bytes[start..<at].drop { $0 == UInt8(ascii: "0") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
