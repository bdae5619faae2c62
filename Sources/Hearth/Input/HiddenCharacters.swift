/// Characters that reorder or hide text: bidirectional embeddings, overrides and isolates, and other invisible format
/// characters. A name with such a character could look like another name, or reorder the sentence around it.
///
/// These are allowed: joiners, which scripts and emoji need; directional marks, which keyboards insert and which
/// override nothing; and the tags that spell a region's flag.
enum HiddenCharacters {
  static func contained(in text: String) -> Bool {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return false }
    var isInFlag = false
    return text.unicodeScalars.contains { isHidden($0, isInFlag: &isInFlag) }
  }

  static func removed(from text: String) -> String {
    var isInFlag = false
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { !isHidden($0, isInFlag: &isInFlag) }))
  }

  private static let flag: Unicode.Scalar = "\u{1F3F4}"
  private static let flagTags: ClosedRange<Unicode.Scalar> = "\u{E0020}"..."\u{E007F}"
  /// The non-joiner and the joiner; the left-to-right, right-to-left and Arabic letter marks.
  private static let needed: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}", "\u{200E}", "\u{200F}", "\u{61C}"]

  /// Tags are allowed after the black flag that they belong to.
  private static func isHidden(_ scalar: Unicode.Scalar, isInFlag: inout Bool) -> Bool {
    if flagTags.contains(scalar) { return !isInFlag }
    isInFlag = scalar == flag
    switch scalar.properties.generalCategory {
    case .lineSeparator, .paragraphSeparator: return true
    // The signs of Arabic and Syriac numbers are visible, although they are format characters.
    case .format: return scalar.properties.isDefaultIgnorableCodePoint && !needed.contains(scalar)
    default: return false
    }
  }
}
