/// The order of names in address books, as a text that SQLite compares byte by byte: the words of the name without case
/// and accents, and behind them the name itself, so that names which differ in nothing else still have their order.
///
/// The order is close to that of the Unicode collation algorithm's root: punctuation before digits before letters,
/// accents and case only where all else is equal, Latin before Greek before Cyrillic. It is not made by ICU, because
/// keys are kept in the data, and those of ICU change with its version: a server that was upgraded would look for names
/// in the wrong places.
enum NameOrder {
  /// A space before each word, so that `instr(name_key, ' du')` finds a word by its start.
  static func key(of name: String) -> String { spaced(words(of: name)) + "\u{1}" + name }

  /// What to look for in a key, for each word of what somebody types; at most so many, the rest go unread.
  static func patterns(of query: String, maximum: Int) -> [String] {
    words(of: query).prefix(maximum).map { " " + $0 }
  }

  private static func spaced(_ words: [String]) -> String {
    words.isEmpty ? " " : words.map { " " + $0 }.joined()
  }

  /// The words, without case and accents.
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var isInWord = false
    for scalar in NameKey.key(of: name).unicodeScalars {
      guard !isBetweenWords(scalar) else {
        isInWord = false
        continue
      }
      if !isInWord { words.append("") }
      isInWord = true
      let last = words.count - 1
      if let letters = undecomposed[scalar] {
        words[last] += letters
      } else {
        words[last].unicodeScalars.append(scalar)
      }
    }
    return words
  }

  private static func isBetweenWords(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .connectorPunctuation,
      .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation:
      true
    default: false
    }
  }

  /// Letters that are a letter with something through or on it, and yet one character to Unicode: as the root collation
  /// has them.
  private static let undecomposed: [Unicode.Scalar: String] = [
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "ŧ": "t", "þ": "th", "ß": "ss",
  ]
}
