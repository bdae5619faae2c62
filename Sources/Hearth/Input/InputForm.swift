import Foundation
import GraphQL
import Storage

/// Takes an input object apart, field by field, and notes everything that is wrong with it, so that all of it is told
/// at once.
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

  /// Whether a field was given, if only as `null`: what is absent from an update stays as it is.
  func gives(_ field: String) -> Bool { input[field] != nil }

  /// What an update does to a column that may be NULL: unchanged where the field is absent, cleared where it is `null`
  /// or empty.
  func patch<Value>(_ field: String, _ value: Value?) -> Patch<Value> {
    gives(field) ? Patch(value) : .unchanged
  }

  func path(_ field: String...) -> [String] { path + field }

  mutating func refuse(_ field: String..., code: UserError.Code, _ message: String) {
    errors.append(UserError(field: path + field, code: code, message: message))
  }

  mutating func refuse(_ refused: [UserError]) { errors += refused }

  // MARK: Text

  /// One line of text, trimmed and in NFC, without `HiddenCharacters`; nil where there is none. `what` begins the
  /// sentence: "A name".
  mutating func line(_ field: String, _ what: String, maximum: Int = 100, required: Bool = true) -> String? {
    text(field, what, maximum: maximum, required: required, allowsLines: false)
  }

  /// Text that may have several lines.
  mutating func lines(_ field: String, _ what: String, maximum: Int = 2000) -> String? {
    text(field, what, maximum: maximum, required: false, allowsLines: true)
  }

  private mutating func text(
    _ field: String,
    _ what: String,
    maximum: Int,
    required: Bool,
    allowsLines: Bool
  ) -> String? {
    let given = self[field]?.string ?? ""
    // What is seen as one character can have any number of marks on it, so characters alone bound nothing. Looked at
    // before anything that costs time.
    guard given.utf8.count <= maximum * Self.bytesPerCharacter else {
      refuse(field, code: .tooLong, "\(what) can have \(maximum) characters at most.")
      return nil
    }
    let text = Self.normalized(given)
    guard !Self.isInvisible(text) else {
      if required { refuse(field, code: .blank, "\(what) is needed.") }
      return nil
    }
    guard text.count <= maximum else {
      refuse(field, code: .tooLong, "\(what) can have \(maximum) characters at most.")
      return nil
    }
    guard !Self.hasControlCharacter(text, allowsLines: allowsLines) else {
      refuse(field, code: .invalid, "\(what) cannot have control characters in it.")
      return nil
    }
    guard allowsLines || !HiddenCharacters.contained(in: text) else {
      refuse(field, code: .invalid, "\(what) cannot have invisible characters that reorder or hide text.")
      return nil
    }
    return text
  }

  /// The longest of the emoji that Unicode recommends, two people in love with their skin tones, has 35.
  static let bytesPerCharacter = 40

  /// Trimmed and in NFC. Most text is so already, and a look at its bytes tells in a hundredth of the time.
  static func normalized(_ text: String) -> String {
    let bytes = text.utf8
    if bytes.allSatisfy({ $0 > 0x1F && $0 < 0x7F }), bytes.first != 0x20, bytes.last != 0x20 { return text }
    return text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
  }

  /// Whether there is nothing to be seen: no character at all, or only such as U+200B and U+3164.
  static func isInvisible(_ text: String) -> Bool {
    if let first = text.utf8.first, first > 0x20, first < 0x7F { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      let properties = scalar.properties
      // U+2800 is the Braille pattern without a dot.
      return properties.isDefaultIgnorableCodePoint || properties.isWhitespace || scalar == "\u{2800}"
        || properties.generalCategory == .format
    }
  }

  private static func hasControlCharacter(_ text: String, allowsLines: Bool) -> Bool {
    text.unicodeScalars.contains { scalar in
      scalar.properties.generalCategory == .control && !(allowsLines && (scalar == "\n" || scalar == "\t"))
    }
  }

  // MARK: Addresses

  mutating func emailAddress(_ field: String) -> EmailAddress? {
    guard let text = line(field, "An e-mail address", maximum: 254) else { return nil }
    guard let address = EmailAddress(text) else {
      refuse(field, code: .invalid, "This is not an e-mail address.")
      return nil
    }
    return address
  }

  // MARK: Numbers and choices

  mutating func integer(_ field: String, _ what: String, in range: ClosedRange<Int64>) -> Int64? {
    guard let number = self[field]?.int else { return nil }
    guard range.contains(number) else {
      refuse(field, code: .outOfRange, "\(what) must be from \(range.lowerBound) to \(range.upperBound).")
      return nil
    }
    return number
  }

  func choice<Value: StoredEnumeration>(_ field: String, default value: Value) -> Value {
    self[field]?.string.flatMap(Value.init) ?? value
  }

  /// The choice of an update: nil where the field is absent, and what everybody starts with where it is `null`.
  func change<Value: StoredEnumeration>(_ field: String, default value: Value) -> Value? {
    gives(field) ? choice(field, default: value) : nil
  }

  // MARK: Days

  /// A birthday: a day that is not in the future and no more than 130 years ago.
  mutating func birthday(_ fields: String..., today: String) -> String? {
    let value = fields.dropFirst().reduce(input[fields[0]]) { $0?[$1] }
    guard let day = value?.string else { return nil }
    guard day <= today else {
      errors.append(
        UserError(field: path + fields, code: .outOfRange, message: "A date of birth cannot be in the future.")
      )
      return nil
    }
    guard let age = CalendarDay.age(born: day, on: today), age <= 130 else {
      errors.append(
        UserError(
          field: path + fields,
          code: .outOfRange,
          message: "A date of birth cannot be more than 130 years ago."
        )
      )
      return nil
    }
    return day
  }
}
