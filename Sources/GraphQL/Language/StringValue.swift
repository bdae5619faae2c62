/// The value of a string literal (specification, section 2.9.4).
package enum StringValue {
  /// The value of a string's source text, including its quotes. The lexer must have accepted the text.
  package static func decode(_ text: Substring, flags: NodeFlags) -> String {
    let quotes = flags.contains(.block) ? 3 : 1
    let content = text.utf8.dropFirst(quotes).dropLast(quotes)
    guard flags.contains(.needsDecoding) else { return String(Substring(content)) }
    return flags.contains(.block) ? BlockString.value(of: content) : unescape(content)
  }

  private static func unescape(_ content: Substring.UTF8View) -> String {
    var value = String()
    value.reserveCapacity(content.count)
    var rest = content
    while let slash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      value += Substring(rest[..<slash])
      rest = rest[slash...].dropFirst()
      let character = rest.popFirst()
      switch character {
      case UInt8(ascii: "b"): value += "\u{8}"
      case UInt8(ascii: "f"): value += "\u{C}"
      case UInt8(ascii: "n"): value += "\n"
      case UInt8(ascii: "r"): value += "\r"
      case UInt8(ascii: "t"): value += "\t"
      case UInt8(ascii: "u"): value.unicodeScalars.append(scalar(&rest))
      case .some(let byte): value.unicodeScalars.append(Unicode.Scalar(byte))
      case nil: break
      }
    }
    value += Substring(rest)
    return value
  }

  /// Parses the part after `\u`: `{…}`, four digits, or two surrogates such as `D83D\uDE00`.
  private static func scalar(_ rest: inout Substring.UTF8View) -> Unicode.Scalar {
    var value: UInt32 = 0
    if rest.first == UInt8(ascii: "{") {
      rest.removeFirst()
      while let byte = rest.popFirst(), let digit = byte.hexadecimalDigit { value = value << 4 | digit }
    } else {
      value = codeUnit(&rest)
      if value & 0xFC00 == 0xD800 {
        rest = rest.dropFirst(2)
        value = 0x10000 + (value & 0x3FF) << 10 + (codeUnit(&rest) & 0x3FF)
      }
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private static func codeUnit(_ rest: inout Substring.UTF8View) -> UInt32 {
    var value: UInt32 = 0
    for byte in rest.prefix(4) { value = value << 4 | (byte.hexadecimalDigit ?? 0) }
    rest = rest.dropFirst(4)
    return value
  }
}

extension StringValue {
  /// A literal of this value on one line, as printed by graphql-js: control characters, `"` and `\\` are escaped.
  package static func print(_ value: String) -> String {
    var literal = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\u{8}": literal += #"\b"#
      case "\t": literal += #"\t"#
      case "\n": literal += #"\n"#
      case "\u{C}": literal += #"\f"#
      case "\r": literal += #"\r"#
      case "\"": literal += #"\""#
      case "\\": literal += #"\\"#
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        literal += #"\u00"# + (digits.utf8.count < 2 ? "0" : "") + digits
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}

extension Document {
  /// The value of a string, with escape sequences and block string indentation resolved.
  package func stringValue(of index: NodeIndex) -> String {
    let node = nodes[index]
    if !node.flags.contains(.needsDecoding) {
      let quotes = node.flags.contains(.block) ? 3 : 1
      return String(decoding: source.bytes[Int(node.start) + quotes..<Int(node.end) - quotes], as: UTF8.self)
    }
    return StringValue.decode(Substring(text(index)), flags: node.flags)
  }
}
