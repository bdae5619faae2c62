/// The order of names in address books, as a text that SQLite compares byte by byte: the words of the name without case
/// and accents, and behind them the name itself, so that names which differ in nothing else still have their order.
///
/// The order is close to that of the Unicode collation algorithm's root: punctuation before digits before letters, accents
/// and case only where all else is equal, Latin before Greek before Cyrillic. It is not made by ICU, because keys are kept
/// in the data, and those of ICU change with its version: a server that was upgraded would look for names in the wrong
/// places.
enum NameOrder {
  /// A space before each word, so that `instr(name_key, ' du')` finds a word by its start.
  static func key(of name: String) -> String { words(of: name) + "\u{1}" + name }

  /// What to look for in a key, for each word of what somebody types; at most so many, the rest go unread.
  static func patterns(of query: String, maximum: Int) -> [String] {
    words(of: query).split(separator: " ").prefix(maximum).map { " " + $0 }
  }

  private static func words(of name: String) -> String {
    var words = ""
    words.reserveCapacity(name.utf8.count + 1)
    var isInWord = false
    for scalar in NameKey.key(of: name).unicodeScalars {
      guard !isBetweenWords(scalar) else {
        isInWord = false
        continue
      }
      if !isInWord { words += " " }
      isInWord = true
      if let letters = undecomposed[scalar] { words += letters } else { words.unicodeScalars.append(scalar) }
    }
    return words.isEmpty ? " " : words
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
