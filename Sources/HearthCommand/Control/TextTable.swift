import Foundation

/// Text in aligned columns for a terminal.
enum TextTable {
  /// A table with a head.
  static func text(_ head: [String], rows: [[String]]) -> String { aligned([head] + rows) }

  /// Lines of a name and a value. Lines without a value are left out.
  static func text(_ lines: KeyValuePairs<String, String?>) -> String {
    aligned(lines.compactMap { name, value in value.map { ["\(name):", $0] } })
  }

  private static func aligned(_ rows: [[String]]) -> String {
    let rows = rows.map { $0.map(printable) }
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }

  /// Names are untrusted: a control character could rewrite the terminal's screen.
  private static func printable(_ text: String) -> String {
    var printable = ""
    for scalar in text.unicodeScalars {
      let isHidden = [.control, .format, .lineSeparator, .paragraphSeparator].contains(
        scalar.properties.generalCategory
      )
      printable.unicodeScalars.append(isHidden ? "\u{FFFD}" : scalar)
    }
    return printable
  }
}

extension Date {
  /// In UTC, such as `2026-11-22T18:06:35Z`.
  var text: String { ISO8601Format() }
}

extension Int {
  /// A number of bytes, such as `1.5 MB`.
  var bytesText: String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var (value, unit) = (Double(self), 0)
    while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    return unit == 0 ? "\(self) B" : String(format: "%.1f \(units[unit])", value)
  }

  /// A number of seconds, such as `2 d 3 h`.
  var durationText: String {
    let parts = [(self / 86_400, "d"), (self / 3_600 % 24, "h"), (self / 60 % 60, "min"), (self % 60, "s")]
    let first = parts.firstIndex { $0.0 > 0 } ?? parts.count - 1
    return parts[first...].prefix(2).map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }
}
