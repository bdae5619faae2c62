/// The identifiers, keywords and punctuation of a Swift file. Comments are left out, and so is the text of string
/// literals; what is interpolated into them is kept.
struct SwiftTokens {
  struct Token {
    let text: String
    /// From 1.
    let line: Int
    /// Whether it is in backticks, and therefore a name even if it is a keyword.
    let isEscaped: Bool
  }

  private(set) var tokens: [Token] = []
  private let bytes: [UInt8]
  private var at = 0
  private var line = 1
  /// The string literals that enclose the interpolation being read, and the parentheses open in each interpolation.
  private var open: [(literal: Literal, parentheses: Int)] = []

  private struct Literal {
    let hashes: Int
    let isMultiline: Bool
  }

  static func tokens(of file: Checkout.File) -> [Token] {
    var scanner = SwiftTokens(file.text)
    scanner.scan()
    return scanner.tokens
  }

  private init(_ text: String) { bytes = Array(text.utf8) }

  private mutating func scan() {
    while at < bytes.count {
      let byte = bytes[at]
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        at += 1
      case UInt8(ascii: " "): at += 1
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLine()
      case UInt8(ascii: "\""), UInt8(ascii: "#"): scanLiteral()
      case UInt8(ascii: "`"):
        let end = bytes[(at + 1)...].firstIndex(of: byte) ?? bytes.count - 1
        add(at + 1..<end, isEscaped: true)
        at = end + 1
      case _ where Self.isWord(byte):
        var end = at
        while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
        add(at..<end)
        at = end
      default: scanPunctuation(byte)
      }
    }
  }

  private mutating func scanPunctuation(_ byte: UInt8) {
    if byte == UInt8(ascii: "("), !open.isEmpty { open[open.count - 1].parentheses += 1 }
    if byte == UInt8(ascii: ")"), let (literal, parentheses) = open.last {
      if parentheses == 0 {
        open.removeLast()
        at += 1
        return skipText(of: literal)
      }
      open[open.count - 1].parentheses -= 1
    }
    add(at..<at + 1)
    at += 1
  }

  /// Scans a string literal, or a `#` that does not begin one.
  private mutating func scanLiteral() {
    var hashes = 0
    while peek(hashes) == UInt8(ascii: "#") { hashes += 1 }
    guard peek(hashes) == UInt8(ascii: "\"") else {
      // A regular expression, `#if`, `#expect`, `#filePath`.
      at += hashes
      if peek(0) == UInt8(ascii: "/") { skipLine() }
      return
    }
    let isMultiline = peek(hashes + 1) == UInt8(ascii: "\"") && peek(hashes + 2) == UInt8(ascii: "\"")
    at += hashes + (isMultiline ? 3 : 1)
    skipText(of: Literal(hashes: hashes, isMultiline: isMultiline))
  }

  /// Skips to the end of a literal, or to the code of its next interpolation.
  private mutating func skipText(of literal: Literal) {
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\\") where areHashes(literal.hashes, from: at + 1):
        let next = at + 1 + literal.hashes
        at = next + 1
        if next < bytes.count, bytes[next] == UInt8(ascii: "(") {
          open.append((literal, 0))
          return
        }
      case UInt8(ascii: "\"") where endsText(of: literal):
        at += (literal.isMultiline ? 3 : 1) + literal.hashes
        return
      case UInt8(ascii: "\n"):
        line += 1
        at += 1
      default: at += 1
      }
    }
  }

  private func endsText(of literal: Literal) -> Bool {
    if literal.isMultiline {
      return peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"") && areHashes(literal.hashes, from: at + 3)
    }
    return areHashes(literal.hashes, from: at + 1)
  }

  private func areHashes(_ count: Int, from start: Int) -> Bool {
    start + count <= bytes.count && bytes[start..<start + count].allSatisfy { $0 == UInt8(ascii: "#") }
  }

  private mutating func skipLine() { while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 } }

  private func peek(_ distance: Int) -> UInt8 { at + distance < bytes.count ? bytes[at + distance] : 0 }

  private mutating func add(_ range: Range<Int>, isEscaped: Bool = false) {
    tokens.append(Token(text: String(decoding: bytes[range], as: UTF8.self), line: line, isEscaped: isEscaped))
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }
}
