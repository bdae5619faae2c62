/// Block strings (specification, section 2.9.4).
package enum BlockString {
  /// `BlockStringValue(rawValue)`: removes the common indentation, and blank lines at the start and the end.
  package static func value(of raw: Substring.UTF8View) -> String {
    var lines = splitLines(raw)
    let isBlank = { (line: Substring.UTF8View) in line.allSatisfy(\.isBlockStringWhitespace) }
    let indentation = lines.dropFirst().lazy
      .filter { !isBlank($0) }
      .map { $0.prefix(while: \.isBlockStringWhitespace).count }
      .min()
    if let indentation {
      for index in lines.indices.dropFirst() { lines[index] = lines[index].dropFirst(indentation) }
    }
    guard let first = lines.firstIndex(where: { !isBlank($0) }), let last = lines.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return unescape(lines[first...last].map { String(Substring($0)) }.joined(separator: "\n"))
  }

  private static func splitLines(_ raw: Substring.UTF8View) -> [Substring.UTF8View] {
    var lines: [Substring.UTF8View] = []
    var rest = raw
    while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      lines.append(rest[..<end])
      let wasReturn = rest[end] == 0x0D
      rest = rest[end...].dropFirst()
      if wasReturn && rest.first == 0x0A { rest = rest.dropFirst() }
    }
    lines.append(rest)
    return lines
  }

  /// `\"""` is the only escape sequence; it represents `"""`.
  private static func unescape(_ value: String) -> String {
    guard value.utf8.contains(UInt8(ascii: "\\")) else { return value }
    var bytes: [UInt8] = []
    var rest = Substring(value).utf8
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "\\") || !rest.starts(with: "\"\"\"".utf8) { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A literal of this value as printed by graphql-js: on one line if possible, else with the quotes on separate lines.
  package static func print(_ value: String) -> String {
    let escaped = escape(value)
    let lines = splitLines(Substring(escaped).utf8)
    let isSingleLine = lines.count == 1
    // If every line except the first is indented, a leading newline prevents the removal of that indentation.
    let forcesLeadingNewLine =
      !isSingleLine && lines.dropFirst().allSatisfy { $0.first?.isBlockStringWhitespace ?? true }
    // Bytes, because a quotation mark can be part of a character: `"` after U+0600 is.
    let endsInTripleQuotes = escaped.utf8.suffix(4).elementsEqual("\\\"\"\"".utf8)
    let last = value.utf8.last
    let forcesTrailingNewLine = last == UInt8(ascii: "\"") && !endsInTripleQuotes || last == UInt8(ascii: "\\")
    let isMultiline =
      !isSingleLine || value.utf16.count > 70 || forcesTrailingNewLine || forcesLeadingNewLine || endsInTripleQuotes
    // Leading whitespace of a single line would be removed after a newline.
    let keepsFirstLine = isSingleLine && value.utf8.first?.isBlockStringWhitespace == true
    let before = isMultiline && !keepsFirstLine || forcesLeadingNewLine ? "\n" : ""
    let after = isMultiline || forcesTrailingNewLine ? "\n" : ""
    return "\"\"\"\(before)\(escaped)\(after)\"\"\""
  }

  private static func escape(_ value: String) -> String {
    var bytes: [UInt8] = []
    var rest = Substring(value).utf8
    while !rest.isEmpty {
      if rest.starts(with: "\"\"\"".utf8) {
        bytes += "\\\"\"\"".utf8
        rest = rest.dropFirst(3)
      } else if let byte = rest.popFirst() {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isBlockStringWhitespace: Bool { self == 0x20 || self == 0x09 }
}
