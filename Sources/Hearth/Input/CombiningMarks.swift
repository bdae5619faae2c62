import GraphQL

/// Sequences of combining marks, such as accents that are typed after their letter. They are limited as in the
/// Stream-Safe Text Format (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format), which no word of a language
/// comes near.
///
/// Normalizing text puts each sequence of marks in order, and Swift normalizes texts to compare and to hash them. That
/// takes quadratic time in the length of a sequence: 0.2 s for 32 KB of marks, 3.5 s for 128 KB. With at most 30 marks
/// in a sequence it is linear: 1 ms for 25 KB.
enum CombiningMarks {
  static let maximum = 30

  /// Whether a sequence of marks is longer than the maximum. It takes linear time, 0.3 ms for 32 KB, and next to none
  /// for texts of Latin letters.
  static func areTooMany(in text: String) -> Bool {
    // The first mark is U+0300, whose first byte is 0xCC.
    guard text.utf8.contains(where: { $0 >= 0xCC }) else { return false }
    var count = 0
    for scalar in text.unicodeScalars {
      let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
      count = isMark ? count + 1 : 0
      if count > maximum { return true }
    }
    return false
  }

  /// The text of an argument that names are compared with, in NFC as names are: in NFD, letters of Korean and Japanese
  /// are others.
  ///
  /// - Throws: A `FieldError` if a sequence of marks is longer than the maximum.
  static func normalizedQuery(_ text: String, argument: String) throws(FieldError) -> String {
    guard !areTooMany(in: text) else {
      throw FieldError("`\(argument)` can have at most \(maximum) combining marks in a row.", code: .badUserInput)
    }
    return InputForm.normalized(text)
  }
}
