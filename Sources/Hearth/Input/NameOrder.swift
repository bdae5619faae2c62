/// The sort order of names in address books, as a key that SQLite compares byte by byte. The key consists of the words
/// of the name without case and accents, followed by the name itself, so that names which differ only in case or
/// accents also have a defined order.
///
/// The order is close to that of the root of the Unicode collation algorithm: punctuation, then digits, then letters;
/// accents and case only as a tie-breaker; Latin before Greek before Cyrillic. The keys are not made by ICU because
/// they are stored, and ICU's keys change with its version: after an upgrade, keyset pagination would continue at wrong
/// positions.
enum NameOrder {
  /// The maximum number of bytes of a word, for the same reason as that of a key: see `NameKey.shortened`.
  static let maximumWordBytes = 200

  /// Each word follows a space, so that `instr(name_key, ' du')` finds a word by its prefix.
  static func key(of name: String) -> String { NameKey.shortened(spaced(words(of: name)) + "\u{1}" + name) }

  /// The patterns to search for in a key, one for each of the first `maximum` words of the query.
  static func patterns(of query: String, maximum: Int) -> [String] {
    words(of: query).prefix(maximum).map { " " + $0 }
  }

  private static func spaced(_ words: [String]) -> String {
    words.isEmpty ? " " : words.map { " " + $0 }.joined()
  }

  /// The words of the name, without case and accents. Long ones are cut, in keys, in the search index and in queries.
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
    return words.map { $0.prefix(bytes: maximumWordBytes) }
  }

  private static func isBetweenWords(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .connectorPunctuation,
      .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation:
      true
    default: false
    }
  }

  /// Letters that Unicode does not decompose, such as those with a stroke, mapped as in the root collation.
  private static let undecomposed: [Unicode.Scalar: String] = [
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "ŧ": "t", "þ": "th", "ß": "ss",
  ]
}
