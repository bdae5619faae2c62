import Testing

@testable import GraphQL

@Suite("Lexer")
struct LexerTests {
  /// The kind and text of every token.
  static func tokens(_ bytes: [UInt8]) throws(GraphQLError) -> [String] {
    let source = Source(bytes)
    do throws(SyntaxError) {
      return try source.bytes.withUnsafeBufferPointer { (buffer) throws(SyntaxError) in
        var lexer = Lexer(buffer)
        var tokens: [String] = []
        while true {
          try lexer.advance()
          let token = lexer.token
          if token.kind == .endOfFile { return tokens }
          let text = lexer.excerpt(from: Int(token.start), to: Int(token.end))
          tokens.append(token.kind.hasValue ? "\(token.kind) \(text)" : text)
        }
      }
    } catch {
      throw error.graphQLError(in: source)
    }
  }

  // The tables use ' in place of ", to avoid escape sequences.

  @Test(arguments: [
    ("", []),
    ("\u{FEFF}", []),
    ("a\u{FEFF}b", ["name a", "name b"]),
    (" \t\r\n,,,#comment ü 🏠\r#another\n a", ["name a"]),
    ("#", []),
    ("#\u{7}\u{0}", []),
    ("! $ & ( ) ... : = @ [ ] { | }", ["!", "$", "&", "(", ")", "...", ":", "=", "@", "[", "]", "{", "|", "}"]),
    ("!$&()...:=@[]{|}", ["!", "$", "&", "(", ")", "...", ":", "=", "@", "[", "]", "{", "|", "}"]),
    ("......", ["...", "..."]),
    (
      "_ a A z Z _9 a_b Name9", ["name _", "name a", "name A", "name z", "name Z", "name _9", "name a_b", "name Name9"]
    ),
    (
      "exactly8 exactly16bytes_ more_than_sixteen_bytes",
      [
        "name exactly8", "name exactly16bytes_", "name more_than_sixteen_bytes",
      ]
    ),
    ("0 -0 4 -4 1234567890", ["int 0", "int -0", "int 4", "int -4", "int 1234567890"]),
    (
      "4.0 -0.5 0e0 1E+2 1e-2 1.5e9",
      [
        "float 4.0", "float -0.5", "float 0e0", "float 1E+2", "float 1e-2", "float 1.5e9",
      ]
    ),
    ("1,2[3]", ["int 1", "int 2", "[", "int 3", "]"]),
    (#"'' 'a' "#, ["string ''", "string 'a'"]),
    (
      #"'\'\\\/\b\f\n\r\t\u0041\u{1F600}\uD83D\uDE00\u{00000041}'"#,
      [
        #"string '\'\\\/\b\f\n\r\t\u0041\u{1F600}\uD83D\uDE00\u{00000041}'"#
      ]
    ),
    ("'\u{0}\u{7F}\t\u{7FF}\u{FFFF}\u{10FFFF}'", ["string '\u{0}\u{7F}\t\u{7FF}\u{FFFF}\u{10FFFF}'"]),
    ("'# not a comment' a", ["string '# not a comment'", "name a"]),
    ("'''''' '''a'''", ["blockString ''''''", "blockString '''a'''"]),
    ("'''\r\n ' '' \\''' \\u00zz \n'''", ["blockString '''\r\n ' '' \\''' \\u00zz \n'''"]),
  ])
  func `separates tokens`(text: String, expected: [String]) throws {
    #expect(try Self.tokens(quoted(text)) == expected.map { String(decoding: quoted($0), as: UTF8.self) })
  }

  @Test(arguments: [
    ("?", "Unexpected character: '?'.", 1, 1),
    ("\n  é", "Unexpected character: U+00E9.", 2, 3),
    ("{ 🏠", "Unexpected character: U+1F3E0.", 1, 3),
    ("\u{7}", "Unexpected character: U+0007.", 1, 1),
    ("\u{0}", "Unexpected character: U+0000.", 1, 1),
    ("\u{B}", "Unexpected character: U+000B.", 1, 1),
    ("\u{A0}", "Unexpected character: U+00A0.", 1, 1),
    (".", "Unexpected character: '.'.", 1, 1),
    ("a.b", "Unexpected character: '.'.", 1, 2),
    ("..", "Unexpected '..', did you mean '...'?", 1, 1),
    ("....", "Unexpected character: '.'.", 1, 4),
    (".123", "Invalid number, expected digit before '.', did you mean '0.123'?", 1, 1),
    ("00", "Invalid number, unexpected digit after 0: '0'.", 1, 2),
    ("-01", "Invalid number, unexpected digit after 0: '1'.", 1, 3),
    ("+1", "Unexpected character: '+'.", 1, 1),
    ("-", "Invalid number, expected digit but got: <EOF>.", 1, 2),
    ("-A", "Invalid number, expected digit but got: 'A'.", 1, 2),
    ("1.", "Invalid number, expected digit but got: <EOF>.", 1, 3),
    ("1.e1", "Invalid number, expected digit but got: 'e'.", 1, 3),
    ("1.A", "Invalid number, expected digit but got: 'A'.", 1, 3),
    ("1..2", "Invalid number, expected digit but got: '.'.", 1, 3),
    ("1.0e", "Invalid number, expected digit but got: <EOF>.", 1, 5),
    ("1e+", "Invalid number, expected digit but got: <EOF>.", 1, 4),
    ("1.0eA", "Invalid number, expected digit but got: 'A'.", 1, 5),
    ("1.2.3", "Invalid number, expected digit but got: '.'.", 1, 4),
    ("1e2.3", "Invalid number, expected digit but got: '.'.", 1, 4),
    ("0x1", "Invalid number, expected digit but got: 'x'.", 1, 2),
    ("1_", "Invalid number, expected digit but got: '_'.", 1, 2),
    ("1é", "Unexpected character: U+00E9.", 1, 2),
    ("'", "Unterminated string.", 1, 2),
    ("'a", "Unterminated string.", 1, 3),
    ("'a\nb'", "Unterminated string.", 1, 3),
    ("'a\r\nb'", "Unterminated string.", 1, 3),
    ("'é🏠", "Unterminated string.", 1, 5),
    (#"'\"#, #"Invalid character escape sequence: '\'."#, 1, 2),
    (#"'\z'"#, #"Invalid character escape sequence: '\z'."#, 1, 2),
    (#"'a\é'"#, #"Invalid character escape sequence: '\é'."#, 1, 3),
    (#"'\u'"#, #"Invalid Unicode escape sequence: '\u''."#, 1, 2),
    (#"'\u12 34'"#, #"Invalid Unicode escape sequence: '\u12 3'."#, 1, 2),
    (#"'\uD800'"#, #"Invalid Unicode escape sequence: '\uD800'."#, 1, 2),
    (#"'\uDE00'"#, #"Invalid Unicode escape sequence: '\uDE00'."#, 1, 2),
    (#"'\uD83DA'"#, #"Invalid Unicode escape sequence: '\uD83D'."#, 1, 2),
    (#"'\uD83D\uD83D'"#, #"Invalid Unicode escape sequence: '\uD83D'."#, 1, 2),
    (#"'\uD83D\u{DE00}'"#, #"Invalid Unicode escape sequence: '\uD83D'."#, 1, 2),
    (#"'\u{}'"#, #"Invalid Unicode escape sequence: '\u{}'."#, 1, 2),
    (#"'\u{D800}'"#, #"Invalid Unicode escape sequence: '\u{D800}'."#, 1, 2),
    (#"'\u{110000}'"#, #"Invalid Unicode escape sequence: '\u{110000}'."#, 1, 2),
    (#"'\u{000000041}'"#, #"Invalid Unicode escape sequence: '\u{000000041'."#, 1, 2),
    (#"'\u{FFFFFFFF}'"#, #"Invalid Unicode escape sequence: '\u{FFFFFFFF'."#, 1, 2),
    (#"'\u{41'"#, #"Invalid Unicode escape sequence: '\u{41''."#, 1, 2),
    (#"'\u{4 1}'"#, #"Invalid Unicode escape sequence: '\u{4 '."#, 1, 2),
    ("'''", "Unterminated string.", 1, 4),
    ("'''a\n\\'''", "Unterminated string.", 2, 5),
    ("'''a''", "Unterminated string.", 1, 7),
  ])
  func `reports errors with their locations`(text: String, message: String, line: Int, column: Int) {
    let error = failure { () throws(GraphQLError) in try Self.tokens(quoted(text)) }
    let expected = "Syntax Error: \(String(decoding: quoted(message), as: UTF8.self))"
    #expect(
      error == GraphQLError(expected, at: [SourceLocation(line: line, column: column)], code: .parseFailed)
    )
  }

  @Test func `suggests a double quote for a single quote`() {
    let error = failure { () throws(GraphQLError) in try Self.tokens(Array("a'".utf8)) }
    #expect(
      error?.message
        == #"Syntax Error: Unexpected single quote character ('), did you mean to use a double quote (")?"#
    )
    #expect(error?.locations == [SourceLocation(line: 1, column: 2)])
  }

  /// Overlong forms, surrogates, code points beyond U+10FFFF, and truncated sequences.
  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xF0, 0x80, 0x80, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x8F], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
      [0xEF, 0xBB],
    ] as [[UInt8]]
  )
  func `rejects ill-formed UTF-8 at every position`(bytes: [UInt8]) throws {
    let first = String(bytes[0], radix: 16, uppercase: true)
    for (before, after) in [("", ""), ("# ", "\n"), ("\"", "\""), ("\"\"\"", "\"\"\""), ("a ", " b")] {
      let text = Array(before.utf8) + bytes + Array(after.utf8)
      let error = failure { () throws(GraphQLError) in try Self.tokens(text) }
      #expect(error?.message == "Syntax Error: Invalid UTF-8 byte: 0x\(first).")
      #expect(error?.locations == [SourceLocation(line: 1, column: before.count + 1)])
    }
  }

  @Test func `the hash of a name does not depend on its position`() throws {
    for length in 1...40 {
      let name = String("abcdefghijklmnopqrstuvwxyz_0123456789ABCDEFGH".prefix(length))
      for text in ["{\(name)}", "{\(name)                    }", "{ a \(name)"] {
        var hash: UInt32?
        try Source(text).bytes.withUnsafeBufferPointer { (bytes) throws(SyntaxError) in
          var lexer = Lexer(bytes)
          repeat {
            try lexer.advance()
            if lexer.token.kind == .name { hash = lexer.token.nameHash }
          } while lexer.token.kind != .endOfFile
        }
        #expect(hash == NameHash.hash(name))
      }
    }
  }
}

/// The UTF-8 of a text, with ' replaced by ".
private func quoted(_ text: String) -> [UInt8] {
  text.utf8.map { $0 == UInt8(ascii: "'") ? UInt8(ascii: "\"") : $0 }
}
