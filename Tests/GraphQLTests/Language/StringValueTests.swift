import Testing

@testable import GraphQL

@Suite("Values in documents")
struct StringValueTests {
  static func value(_ literal: String) throws -> (Document, NodeIndex) {
    (try Parser.parseValue(Source(literal)), 1)
  }

  @Test(arguments: [
    (#""""#, ""),
    (#""a b""#, "a b"),
    (#""é🏠\u{FEFF}""#, "é🏠\u{FEFF}"),
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""x\u0041y\u00e9z""#, "xAyéz"),
    (#""\u{41}\u{1F600}\u{10FFFF}\u{0}""#, "A😀\u{10FFFF}\u{0}"),
    (#""\uD83D\uDE00\ud83d\ude00""#, "😀😀"),
    (#""\uDBFF\uDFFF\uD800\uDC00""#, "\u{10FFFF}\u{10000}"),
    (#""\\u0041""#, "\\u0041"),
  ])
  func `strings are unescaped`(literal: String, expected: String) throws {
    let (document, index) = try Self.value(literal)
    #expect(Array(document.stringValue(of: index).unicodeScalars) == Array(expected.unicodeScalars))
  }

  /// The content between the quotes, and its `BlockStringValue`.
  @Test(arguments: [
    ("", ""),
    (" ", ""),
    ("\n\t\n ", ""),
    ("a", "a"),
    ("  a  ", "  a  "),
    ("\n    Hello,\n      World!\n\n    Yours,\n      GraphQL.\n  ", "Hello,\n  World!\n\nYours,\n  GraphQL."),
    ("    Hello,\n      World!\n\n    Yours,\n      GraphQL.", "    Hello,\n  World!\n\nYours,\n  GraphQL."),
    ("\n\n    a\n      b\n\n", "a\n  b"),
    ("\n  a\n \t \n  b", "a\n \nb"),
    ("\r\n a\r b\n\r c", "a\nb\n\nc"),
    ("\n\ta\n\t b", "a\n b"),
    ("\n a\nb\n  c", " a\nb\n  c"),
    ("a\n  b", "a\nb"),
    ("\n  a  \n", "a  "),
    ("\\\"\"\" \\n \\ \\\\\"\"\"", "\"\"\" \\n \\ \\\"\"\""),
    ("\u{2028}a\u{A0}", "\u{2028}a\u{A0}"),
  ])
  func `block strings lose their indentation`(content: String, expected: String) throws {
    let (document, index) = try Self.value("\"\"\"\(content)\"\"\"")
    #expect(document.stringValue(of: index) == expected)
  }

  /// A value, and the block string printed for it, which parses to the same value.
  @Test(arguments: [
    ("", #""""""""#),
    ("a", #""""a""""#),
    ("  a", #""""  a""""#),
    ("a\nb", "\"\"\"\na\nb\n\"\"\""),
    ("a\"", "\"\"\"\na\"\n\"\"\""),
    ("a\\", "\"\"\"\na\\\n\"\"\""),
    ("a\"\"\"", "\"\"\"\na\\\"\"\"\n\"\"\""),
    // The last scalars are one character.
    ("a\u{600}\"", "\"\"\"\na\u{600}\"\n\"\"\""),
    ("a\u{600}\\", "\"\"\"\na\u{600}\\\n\"\"\""),
    ("\"a\"b", "\"\"\"\"a\"b\"\"\""),
    ("a\n  b\n  c", "\"\"\"\na\n  b\n  c\n\"\"\""),
  ])
  func `printed block strings parse to the same value`(value: String, expected: String) throws {
    let printed = BlockString.print(value)
    #expect(printed == expected)
    let (document, index) = try Self.value(printed)
    #expect(document.stringValue(of: index) == value)
  }

  @Test func `block strings of more than 70 code units have separate lines`() {
    let seventy = String(repeating: "x", count: 70)
    #expect(BlockString.print(seventy) == "\"\"\"\(seventy)\"\"\"")
    #expect(BlockString.print(seventy + "x") == "\"\"\"\n\(seventy)x\n\"\"\"")
  }

  @Test func `every Unicode scalar is preserved by printing and parsing`() throws {
    for value in (0...0x2FF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) + ["\u{FFFF}", "\u{10FFFF}"] {
      let (document, index) = try Self.value(StringValue.print("<\(value)>"))
      #expect(document.stringValue(of: index).unicodeScalars.elementsEqual(["<", value, ">"]))
    }
    #expect(
      StringValue.print("\u{0}\u{1F}\u{7F}\u{9F}\u{A0}\"\\/") == "\"\\u0000\\u001F\\u007F\\u009F\u{A0}\\\"\\\\/\""
    )
  }
}
