import Testing

/// A text and its expected error code; nil if it is JSON.
struct SyntaxCase: CustomTestStringConvertible {
  let text: [UInt8]
  let errorCode: String?
  let testDescription: String

  static func yes(_ text: String) -> SyntaxCase {
    SyntaxCase(text: Array(text.utf8), errorCode: nil, testDescription: "yes \(text.debugDescription)")
  }

  static func no(_ text: String, _ code: String) -> SyntaxCase {
    SyntaxCase(text: Array(text.utf8), errorCode: "JSON_\(code)", testDescription: "no \(text.debugDescription)")
  }

  /// A string of these bytes, which Swift's literals cannot hold.
  static func string(_ bytes: UInt8..., errorCode code: String?) -> SyntaxCase {
    let text = [0x22] + bytes + [0x22]
    return SyntaxCase(text: text, errorCode: code.map { "JSON_\($0)" }, testDescription: "bytes \(bytes)")
  }

  static let all = accepted + structures + numbers + escapes + encodings

  static let accepted: [SyntaxCase] = [
    "null", "true", "false", " \t\r\n1 \t\r\n", "0", "-0", "1", "-1", "10", "1234567890", "0.0", "-0.5", "1.25", "1e1",
    "1E1", "1e+1", "1e-1", "0e0", "0e+1", "1.5e300", "-1.5E-300", "123456789012345678901234567890", "1e999", "\"\"",
    "\"a\"", "\" \"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0000\"", "\"\\u00e9\\u00E9\"", "\"\\ud83d\\ude00\"",
    "\"\\uDBFF\\uDFFF\"", "\"\\uFFFF\"", "\"/\"", "\"\u{7F}\"", "\"é\"", "\"€\"", "\"😀\"", "\"\u{2028}\"",
    "\"12345678\"", "\"1234567\\n\"", "\"1234567é\"", "[]", "[ ]", "[1]", "[1,2]", "[ 1 , 2 ]", "[[]]", "[[],[[]]]",
    "[{}]", "[null,true,false,0,\"\",[],{}]", "{}", "{ }", "{\"\":0}", "{\"a\":1}", "{ \"a\" : 1 , \"b\" : [ ] }",
    "{\"a\":{\"b\":{}}}", "{\"a\":1,\"a\":2}", "{\"\\u0061\":1}", "[\n]\n",
  ].map(yes)

  static let structures: [SyntaxCase] = [
    no("", "UNEXPECTED_END"), no(" ", "UNEXPECTED_END"), no("[", "UNEXPECTED_END"), no("{", "UNEXPECTED_END"),
    no("[1", "UNEXPECTED_END"), no("[1,", "UNEXPECTED_END"), no("{\"a\"", "UNEXPECTED_END"),
    no("{\"a\":", "UNEXPECTED_END"), no("{\"a\":1", "UNEXPECTED_END"), no("{\"a\":1,", "UNEXPECTED_END"),
    no("\"", "UNEXPECTED_END"), no("\"a", "UNEXPECTED_END"), no("\"a\\", "UNEXPECTED_END"),
    no("\"\\\"", "UNEXPECTED_END"), no("\"\\u12", "UNEXPECTED_END"), no("t", "UNEXPECTED_END"),
    no("nul", "UNEXPECTED_END"), no("[1,]", "TRAILING_COMMA"), no("{\"a\":1,}", "TRAILING_COMMA"),
    no("[,]", "EXPECTED_VALUE"), no("[,1]", "EXPECTED_VALUE"), no("[1,,2]", "EXPECTED_VALUE"),
    no("{,}", "EXPECTED_KEY"), no("{\"a\":1,,}", "EXPECTED_KEY"), no("{a:1}", "EXPECTED_KEY"),
    no("{'a':1}", "EXPECTED_KEY"), no("{1:1}", "EXPECTED_KEY"), no("{null:1}", "EXPECTED_KEY"),
    no("{[]:1}", "EXPECTED_KEY"), no("{\"a\"}", "EXPECTED_COLON"), no("{\"a\" 1}", "EXPECTED_COLON"),
    no("{\"a\",1}", "EXPECTED_COLON"), no("{\"a\"::1}", "EXPECTED_VALUE"), no("{\"a\":}", "EXPECTED_VALUE"),
    no("{\"a\":1 \"b\":2}", "EXPECTED_COMMA_OR_BRACE"), no("{\"a\":1]", "EXPECTED_COMMA_OR_BRACE"),
    no("{\"a\":1:2}", "EXPECTED_COMMA_OR_BRACE"), no("[1 2]", "EXPECTED_COMMA_OR_BRACKET"),
    no("[1}", "EXPECTED_COMMA_OR_BRACKET"), no("[\"a\":1]", "EXPECTED_COMMA_OR_BRACKET"),
    no("[1;2]", "EXPECTED_COMMA_OR_BRACKET"), no("1 2", "TEXT_AFTER_VALUE"), no("[]]", "TEXT_AFTER_VALUE"),
    no("{}}", "TEXT_AFTER_VALUE"), no("[],", "TEXT_AFTER_VALUE"), no("\"a\"b", "TEXT_AFTER_VALUE"),
    no("nullx", "TEXT_AFTER_VALUE"), no("1\0", "TEXT_AFTER_VALUE"), no("]", "EXPECTED_VALUE"),
    no("}", "EXPECTED_VALUE"), no(",", "EXPECTED_VALUE"), no(":", "EXPECTED_VALUE"), no("True", "EXPECTED_VALUE"),
    no("tRue", "EXPECTED_VALUE"), no("nulL", "EXPECTED_VALUE"), no("undefined", "EXPECTED_VALUE"),
    no("'a'", "EXPECTED_VALUE"), no("/**/1", "EXPECTED_VALUE"), no("#1", "EXPECTED_VALUE"), no("\0", "EXPECTED_VALUE"),
    no("\u{C}1", "EXPECTED_VALUE"), no("\u{A0}1", "EXPECTED_VALUE"), no("[1]//", "TEXT_AFTER_VALUE"),
    no("\u{FEFF}1", "BYTE_ORDER_MARK"), no("\u{FEFF}", "BYTE_ORDER_MARK"),
  ]

  static let numbers: [SyntaxCase] = [
    no("-", "UNEXPECTED_END"), no("1.", "UNEXPECTED_END"), no("1e", "UNEXPECTED_END"), no("1e+", "UNEXPECTED_END"),
    no("1.5E-", "UNEXPECTED_END"), no("[1.]", "MALFORMED_NUMBER"), no("[1.e1]", "MALFORMED_NUMBER"),
    no("[1e]", "MALFORMED_NUMBER"), no("[1e+]", "MALFORMED_NUMBER"), no("[1e+-1]", "MALFORMED_NUMBER"),
    no("[-]", "MALFORMED_NUMBER"), no("[-a]", "MALFORMED_NUMBER"), no("[--1]", "MALFORMED_NUMBER"),
    no("[- 1]", "MALFORMED_NUMBER"), no("01", "MALFORMED_NUMBER"), no("-01", "MALFORMED_NUMBER"),
    no("00", "MALFORMED_NUMBER"), no("-00.5", "MALFORMED_NUMBER"), no("[+1]", "EXPECTED_VALUE"),
    no("[.5]", "EXPECTED_VALUE"), no("[-.5]", "MALFORMED_NUMBER"), no("NaN", "EXPECTED_VALUE"),
    no("Infinity", "EXPECTED_VALUE"), no("-Infinity", "MALFORMED_NUMBER"), no("0x10", "TEXT_AFTER_VALUE"),
    no("1_000", "TEXT_AFTER_VALUE"), no("1.2.3", "TEXT_AFTER_VALUE"), no("1e1.5", "TEXT_AFTER_VALUE"),
    no("1e1e1", "TEXT_AFTER_VALUE"), no("1f", "TEXT_AFTER_VALUE"), no("１", "EXPECTED_VALUE"),
  ]

  static let escapes: [SyntaxCase] = [
    no("\"\n\"", "CONTROL_CHARACTER"), no("\"\t\"", "CONTROL_CHARACTER"), no("\"\0\"", "CONTROL_CHARACTER"),
    no("\"1234567\u{1F}12345678\"", "CONTROL_CHARACTER"), no("\"\\a\"", "MALFORMED_ESCAPE"),
    no("\"\\'\"", "MALFORMED_ESCAPE"), no("\"\\ \"", "MALFORMED_ESCAPE"), no("\"\\\n\"", "MALFORMED_ESCAPE"),
    no("\"\\0\"", "MALFORMED_ESCAPE"), no("\"\\x41\"", "MALFORMED_ESCAPE"), no("\"\\N\"", "MALFORMED_ESCAPE"),
    no("\"\\U0041\"", "MALFORMED_ESCAPE"), no("\"\\u004\"\"", "MALFORMED_ESCAPE"),
    no("\"\\u00g0\"", "MALFORMED_ESCAPE"), no("\"\\u+041\"", "MALFORMED_ESCAPE"), no("\"\\é\"", "MALFORMED_ESCAPE"),
    no("\"\\ud83d\"", "LONE_SURROGATE"), no("\"\\ude00\"", "LONE_SURROGATE"), no("\"\\ud83dabcdef\"", "LONE_SURROGATE"),
    no("\"\\ud83d\\n12345\"", "LONE_SURROGATE"), no("\"\\ud83d\\u0041\"", "LONE_SURROGATE"),
    no("\"\\ud83d\\ud83d\\ude00\"", "LONE_SURROGATE"), no("\"\\ude00\\ud83d\"", "LONE_SURROGATE"),
    no("{\"\\ud800\":1}", "LONE_SURROGATE"), no("\"\\ud83d\\uzzzz\"", "MALFORMED_ESCAPE"),
  ]

  static let encodings: [SyntaxCase] = [
    string(0xC2, 0x80, errorCode: nil), string(0xDF, 0xBF, errorCode: nil), string(0xE0, 0xA0, 0x80, errorCode: nil),
    string(0xED, 0x9F, 0xBF, errorCode: nil), string(0xEE, 0x80, 0x80, errorCode: nil),
    string(0xEF, 0xBF, 0xBF, errorCode: nil), string(0xF0, 0x90, 0x80, 0x80, errorCode: nil),
    string(0xF4, 0x8F, 0xBF, 0xBF, errorCode: nil), string(0x80, errorCode: "INVALID_UTF8"),
    string(0xBF, errorCode: "INVALID_UTF8"), string(0xC2, errorCode: "INVALID_UTF8"),
    string(0xC0, 0x80, errorCode: "INVALID_UTF8"), string(0xC1, 0xBF, errorCode: "INVALID_UTF8"),
    string(0xE0, 0x9F, 0xBF, errorCode: "INVALID_UTF8"), string(0xE1, 0x80, errorCode: "INVALID_UTF8"),
    string(0xE1, 0x80, 0x41, errorCode: "INVALID_UTF8"), string(0xED, 0xA0, 0x80, errorCode: "INVALID_UTF8"),
    string(0xF0, 0x8F, 0xBF, 0xBF, errorCode: "INVALID_UTF8"),
    string(0xF4, 0x90, 0x80, 0x80, errorCode: "INVALID_UTF8"),
    string(0xF5, 0x80, 0x80, 0x80, errorCode: "INVALID_UTF8"), string(0xFF, errorCode: "INVALID_UTF8"),
    string(0xC3, 0x28, errorCode: "INVALID_UTF8"), string(0x61, 0x62, 0xFE, 0x63, errorCode: "INVALID_UTF8"),
  ]
}
