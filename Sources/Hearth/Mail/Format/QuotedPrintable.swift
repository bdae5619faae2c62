/// Quoted-printable encoding: lines of at most 76 printable characters (RFC 2045, section 6.7) that people can still
/// read.
enum QuotedPrintable {
  private static let maximumLine = 76

  static func encode(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in encode(line: Array(line.utf8)) }
      .joined(separator: "\r\n")
  }

  private static func encode(line: [UInt8]) -> String {
    var lines: [String] = []
    var current = ""
    for (index, byte) in line.enumerated() {
      let isLast = index == line.count - 1
      let piece = isLiteral(byte, isLast: isLast) ? String(Unicode.Scalar(byte)) : hexadecimal(byte)
      // The soft line break needs one column.
      if current.utf8.count + piece.utf8.count > (isLast ? maximumLine : maximumLine - 1) {
        lines.append(current + "=")
        current = ""
      }
      current += piece
    }
    return (lines + [current]).joined(separator: "\r\n")
  }

  private static func isLiteral(_ byte: UInt8, isLast: Bool) -> Bool {
    byte == 0x20 ? !isLast : (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "=0\(digits)" : "=\(digits)"
  }
}
