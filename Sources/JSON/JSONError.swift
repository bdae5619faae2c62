/// Why a text is not JSON (RFC 8259) or exceeds the limits.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  package let reason: Reason
  /// The offset of the error in bytes.
  package let offset: Int

  /// The stable code, for clients and logs.
  package var code: String { reason.rawValue }

  /// The message for the sender of the text.
  package var description: String { "\(sentence) (Byte \(offset).)" }

  package enum Reason: String, Sendable, CaseIterable {
    case tooLong = "JSON_TOO_LONG"
    case tooDeep = "JSON_TOO_DEEP"
    case numberTooLong = "JSON_NUMBER_TOO_LONG"
    case unexpectedEnd = "JSON_UNEXPECTED_END"
    case byteOrderMark = "JSON_BYTE_ORDER_MARK"
    case expectedValue = "JSON_EXPECTED_VALUE"
    case expectedKey = "JSON_EXPECTED_KEY"
    case expectedColon = "JSON_EXPECTED_COLON"
    case expectedCommaOrBrace = "JSON_EXPECTED_COMMA_OR_BRACE"
    case expectedCommaOrBracket = "JSON_EXPECTED_COMMA_OR_BRACKET"
    case trailingComma = "JSON_TRAILING_COMMA"
    case textAfterValue = "JSON_TEXT_AFTER_VALUE"
    case malformedNumber = "JSON_MALFORMED_NUMBER"
    case controlCharacter = "JSON_CONTROL_CHARACTER"
    case malformedEscape = "JSON_MALFORMED_ESCAPE"
    case loneSurrogate = "JSON_LONE_SURROGATE"
    case invalidUTF8 = "JSON_INVALID_UTF8"
  }

  private var sentence: StaticString {
    switch reason {
    case .tooLong: "The JSON text has too many bytes."
    case .tooDeep: "The arrays and objects of the JSON text are nested too deeply."
    case .numberTooLong: "A number in the JSON text has too many digits."
    case .unexpectedEnd: "The JSON text ends too early."
    case .byteOrderMark: "The JSON text begins with a byte order mark; it must be UTF-8 without one."
    case .expectedValue: "A JSON value is expected here."
    case .expectedKey: "A key in quotation marks is expected here."
    case .expectedColon: "A colon is expected after a key."
    case .expectedCommaOrBrace: "A comma or a closing brace is expected after a member of an object."
    case .expectedCommaOrBracket: "A comma or a closing bracket is expected after an element of an array."
    case .trailingComma: "Trailing commas are not allowed in JSON."
    case .textAfterValue: "Unexpected text follows the JSON value."
    case .malformedNumber: "A number is malformed."
    case .controlCharacter: "A string contains a control character, which must be escaped."
    case .malformedEscape: "A string contains an invalid escape sequence."
    case .loneSurrogate: "A string contains a lone surrogate."
    case .invalidUTF8: "A string is not valid UTF-8."
    }
  }
}
