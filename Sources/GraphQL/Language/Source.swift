/// The text of a document, and its name in messages.
package struct Source: Sendable {
  /// The text in UTF-8. The lexer rejects ill-formed UTF-8.
  package let bytes: [UInt8]
  package let name: String

  package init(_ bytes: [UInt8], name: String = "GraphQL request") {
    self.bytes = bytes
    self.name = name
  }

  package init(_ text: String, name: String = "GraphQL request") {
    self.init(Array(text.utf8), name: name)
  }

  /// The line and column of a byte. Computed only for errors, so that the lexer need not count lines.
  package func location(at offset: Int) -> SourceLocation {
    var line = 1
    var lineStart = 0
    var at = 0
    let limit = min(offset, bytes.count)
    while at < limit {
      // LineTerminator :: U+000A | U+000D [lookahead ≠ U+000A] | U+000D U+000A
      if bytes[at] == 0x0A || (bytes[at] == 0x0D && !(at + 1 < bytes.count && bytes[at + 1] == 0x0A)) {
        line += 1
        lineStart = at + 1
      }
      at += 1
    }
    // Columns count UTF-16 code units, as graphql-js and editors do.
    var column = 1
    at = lineStart
    while at < limit {
      let byte = bytes[at]
      if byte & 0xC0 != 0x80 { column += byte >= 0xF0 ? 2 : 1 }
      at += 1
    }
    return SourceLocation(line: line, column: column)
  }

  /// The lines and columns of several bytes, found in one pass. Finding each separately would take quadratic time.
  func locations(at offsets: [UInt32]) -> [UInt32: SourceLocation] {
    var found: [UInt32: SourceLocation] = [:]
    var line = 1
    var column = 1
    var at = 0
    for offset in Set(offsets).sorted() {
      while at < min(Int(offset), bytes.count) {
        let byte = bytes[at]
        at += 1
        // LineTerminator :: U+000A | U+000D [lookahead ≠ U+000A] | U+000D U+000A
        if byte == 0x0A || (byte == 0x0D && !(at < bytes.count && bytes[at] == 0x0A)) {
          line += 1
          column = 1
        } else if byte & 0xC0 != 0x80 {
          // Columns count UTF-16 code units, as `location(at:)` does.
          column += byte >= 0xF0 ? 2 : 1
        }
      }
      found[offset] = SourceLocation(line: line, column: column)
    }
    return found
  }
}
