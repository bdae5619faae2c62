import Foundation
import GraphQL
import Storage

/// Reads an input object field by field, and collects all errors so that the client receives them at once.
struct InputForm {
  private let input: InputValue
  private let path: [String]
  private(set) var errors: [UserError] = []

  init(_ input: InputValue?, at path: [String]) {
    self.input = input ?? .null
    self.path = path
  }

  /// The arguments of a mutation that takes no input object.
  init(_ arguments: Arguments) { self.init(.object(arguments.fields), at: []) }

  subscript(_ field: String) -> InputValue? {
    guard let value = input[field], !value.isNull else { return nil }
    return value
  }

  /// Whether a field is present, even if its value is `null`. An update leaves absent fields unchanged.
  func gives(_ field: String) -> Bool { input[field] != nil }

  /// The effect of an update on a nullable column: unchanged if the field is absent, cleared if it is `null` or empty.
  func patch<Value>(_ field: String, value: Value?) -> Patch<Value> {
    gives(field) ? Patch(value) : .unchanged
  }

  func path(_ field: String...) -> [String] { path + field }

  mutating func reject(
    _ field: String...,
    code: UserError.Code,
    reason: UserError.Reason? = nil,
    message: UserError.Message
  ) {
    errors.append(UserError(field: path + field, code: code, reason: reason, message: message))
  }

  mutating func reject(_ errors: [UserError]) { self.errors += errors }

  // MARK: Text

  /// The usual maximum of characters of a line.
  static let maximumLine = 100

  /// Returns one line of text, trimmed, in NFC and without `HiddenCharacters`, or nil if there is none.
  ///
  /// - Parameter subject: the subject of error messages, such as "A name".
  mutating func line(
    _ field: String,
    subject: StaticString,
    maximum: Int = maximumLine,
    required: Bool = true
  ) -> String? {
    text(field, subject: subject, maximum: maximum, required: required, allowsLines: false)
  }

  /// Returns text of one or more lines, separated by U+000A.
  mutating func lines(_ field: String, subject: StaticString, maximum: Int = 2000) -> String? {
    text(field, subject: subject, maximum: maximum, required: false, allowsLines: true)
  }

  private mutating func text(
    _ field: String,
    subject: StaticString,
    maximum: Int,
    required: Bool,
    allowsLines: Bool
  ) -> String? {
    let given = self[field]?.string ?? ""
    // One visible character can have any number of combining marks, so a limit on characters does not bound the size.
    // This check comes before all work that depends on the size.
    let bytesPerCharacter = allowsLines ? Self.bytesPerCharacterOfLines : Self.bytesPerCharacter
    guard given.utf8.count <= maximum * bytesPerCharacter else {
      reject(field, code: .tooLong, message: "\(words: subject) can have at most \(maximum: maximum) characters.")
      return nil
    }
    if Self.isPlain(given), given.utf8.count <= maximum { return given }
    guard !CombiningMarks.areTooMany(in: given) else {
      reject(
        field,
        code: .invalid,
        reason: .combiningMarks,
        message: "\(words: subject) cannot have more than \(maximum: CombiningMarks.maximum) combining marks in a row."
      )
      return nil
    }
    let text = Self.normalized(allowsLines ? Self.withLineFeeds(given) : given)
    guard !Self.isInvisible(text) else {
      if required { reject(field, code: .blank, message: "\(words: subject) is required.") }
      return nil
    }
    guard text.count <= maximum else {
      reject(field, code: .tooLong, message: "\(words: subject) can have at most \(maximum: maximum) characters.")
      return nil
    }
    guard !Self.hasControlCharacter(text, allowsLines: allowsLines) else {
      reject(
        field,
        code: .invalid,
        reason: .controlCharacters,
        message: "\(words: subject) cannot have control characters."
      )
      return nil
    }
    guard allowsLines || !HiddenCharacters.contained(in: text) else {
      reject(
        field,
        code: .invalid,
        reason: .invisibleCharacters,
        message: "\(words: subject) cannot have invisible characters that reorder or hide text."
      )
      return nil
    }
    return text
  }

  /// The longest emoji that Unicode recommends, a couple with skin tones, has 35 bytes.
  static let bytesPerCharacter = 40
  /// In texts of several lines, which can be long: two usual emoji. Checking 32,000 bytes takes a loop some 4 ms, also
  /// of the text that takes longest: see `CombiningMarks`.
  private static let bytesPerCharacterOfLines = 16

  /// No line of text has more bytes, unless it has a maximum of its own.
  static let maximumLineBytes = maximumLine * bytesPerCharacter

  /// Returns what is compared with stored lines, normalized. It is empty for a text that no line can be, because it is
  /// too long or has too many combining marks. Such a text would take long to normalize.
  static func normalizedLine(_ text: String?, maximum: Int = maximumLine) -> String {
    guard let text, !isBeyondLine(text, maximum: maximum) else { return "" }
    return normalized(text)
  }

  /// Whether the text is longer than any line or has more combining marks.
  static func isBeyondLine(_ text: String, maximum: Int = maximumLine) -> Bool {
    text.utf8.count > maximum * bytesPerCharacter || CombiningMarks.areTooMany(in: text)
  }

  /// Returns the text trimmed and in NFC. The text must be known to have few combining marks: see `CombiningMarks`.
  static func normalized(_ text: String) -> String {
    if text.isEmpty || isPlain(text) { return text }
    return text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
  }

  /// Returns the text with U+000A in place of CR LF, the line end of Windows, and of CR.
  private static func withLineFeeds(_ text: String) -> String {
    guard text.utf8.contains(0x0D) else { return text }
    var lines = ""
    // CR LF is one character.
    for character in text { lines.append(character == "\r\n" || character == "\r" ? "\n" : character) }
    return lines
  }

  /// Whether the text is visible ASCII without space around it, as most text is: one line, trimmed, in NFC, with a
  /// character for each byte. Checking its bytes takes a hundredth of the time that the properties of its characters
  /// take.
  private static func isPlain(_ text: String) -> Bool {
    let bytes = text.utf8.span
    guard !bytes.isEmpty, bytes[0] != 0x20, bytes[bytes.count - 1] != 0x20 else { return false }
    for index in bytes.indices where bytes[index] < 0x20 || bytes[index] > 0x7E { return false }
    return true
  }

  /// Whether the text has no visible character: it is empty, or has only characters such as U+200B and U+3164.
  static func isInvisible(_ text: String) -> Bool {
    if let first = text.utf8.first, first > 0x20, first < 0x7F { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      let properties = scalar.properties
      // U+2800 is the Braille pattern without a dot.
      return properties.isDefaultIgnorableCodePoint || properties.isWhitespace || scalar == "\u{2800}"
        || properties.generalCategory == .format
    }
  }

  /// The general category Control (Cc), which never changes (https://www.unicode.org/policies/stability_policy.html).
  private static func hasControlCharacter(_ text: String, allowsLines: Bool) -> Bool {
    text.unicodeScalars.contains { scalar in
      (scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value) && !(allowsLines && (scalar == "\n" || scalar == "\t"))
    }
  }

  // MARK: Addresses

  mutating func emailAddress(_ field: String) -> EmailAddress? {
    guard let text = line(field, subject: "An e-mail address", maximum: 254) else { return nil }
    guard let address = EmailAddress(text) else {
      reject(field, code: .invalid, message: "This is not an e-mail address.")
      return nil
    }
    return address
  }

  // MARK: Numbers and choices

  mutating func integer(_ field: String, subject: StaticString, in range: ClosedRange<Int64>) -> Int64? {
    guard let number = self[field]?.int else { return nil }
    guard range.contains(number) else {
      reject(
        field,
        code: .outOfRange,
        message: "\(words: subject) must be from \(minimum: range.lowerBound) to \(maximum: range.upperBound)."
      )
      return nil
    }
    return number
  }

  func choice<Value: StoredEnumeration>(_ field: String, default value: Value) -> Value {
    self[field]?.string.flatMap(Value.init) ?? value
  }

  /// Returns the value of an update: nil if the field is absent, and the default if it is `null`.
  func change<Value: StoredEnumeration>(_ field: String, default value: Value) -> Value? {
    gives(field) ? choice(field, default: value) : nil
  }

  // MARK: Days

  /// Returns a date of birth, which must not be in the future or more than 130 years ago.
  mutating func birthday(_ fields: String..., today: String) -> String? {
    let value = fields.dropFirst().reduce(input[fields[0]]) { $0?[$1] }
    guard let day = value?.string else { return nil }
    guard day <= today else {
      errors.append(
        UserError(
          field: path + fields,
          code: .outOfRange,
          reason: .inFuture,
          message: "A date of birth cannot be in the future."
        )
      )
      return nil
    }
    guard let earliest = CalendarDay.years(130, before: today), day >= earliest else {
      errors.append(
        UserError(
          field: path + fields,
          code: .outOfRange,
          reason: .tooLongAgo,
          message: "A date of birth cannot be more than \(maximum: 130) years ago."
        )
      )
      return nil
    }
    return day
  }
}
