import GraphQL

/// A parsed search query: words, and phrases in quotation marks. A match contains all of them, in any order.
struct SearchQuery: Sendable {
  /// The maximum number of characters.
  static let maximumLength = 200
  /// Further words are ignored.
  static let maximumWords = 10

  /// The words of each term: a single word, or those of a phrase.
  private var terms: [[String]] = []
  /// Whether the last word may be a prefix, because the user is still typing it.
  private var endsInPrefix = false

  var isEmpty: Bool { terms.isEmpty }

  /// - Parameter text: in NFC, as names are.
  init(_ text: String) {
    var count = 0
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let words = Array(NameOrder.words(of: String(part)).prefix(Self.maximumWords - count))
      guard !words.isEmpty else { continue }
      count += words.count
      // Every second part is between quotation marks, except for the last one, which follows an unclosed mark.
      let isPhrase = !index.isMultiple(of: 2) && index < parts.count - 1
      terms += isPhrase ? [words] : words.map { [$0] }
      endsInPrefix = !isPhrase
    }
  }

  /// - Parameter argument: the name of the argument, for the error of a text that is too long.
  init(_ text: String, argument: String) throws(FieldError) {
    guard text.utf8.count <= Self.maximumLength * InputForm.bytesPerCharacter, text.count <= Self.maximumLength else {
      throw FieldError("`\(argument)` can have at most \(Self.maximumLength) characters.", code: .badUserInput)
    }
    self.init(try CombiningMarks.normalizedQuery(text, argument: argument))
  }

  /// The quality of a match, the best first.
  enum Tier: Int64, CaseIterable, Sendable {
    /// Every word is a word of the name.
    case name
    /// Every word is a word of the name, but the last is only a prefix of one.
    case startOfName
    /// Every word is a word of any indexed property.
    case anywhere
    /// The last word is only a prefix.
    case startAnywhere
  }

  /// The FTS5 expression that matches the objects of `tier` but not of better tiers; nil if there can be none. Without
  /// words, all objects that match the filter are in the first tier.
  ///
  /// The expression contains only words without punctuation, in quotation marks, so the input cannot inject syntax.
  func expression(for tier: Tier, marks: SearchWords.Marks, _ filter: SearchFilter = SearchFilter()) -> String? {
    guard let filters = Self.terms(of: filter, marks), !isEmpty || !filters.isEmpty else { return nil }
    guard !isEmpty else { return tier == .name ? Self.all(filters) : nil }
    let name = terms(in: [marks.name], isPrefix: false)
    let startOfName = terms(in: [marks.name], isPrefix: endsInPrefix)
    let anywhere = terms(in: [marks.name, marks.other], isPrefix: false)
    let startAnywhere = terms(in: [marks.name, marks.other], isPrefix: endsInPrefix)
    switch tier {
    case .name: return Self.all(name + filters)
    case .startOfName: return endsInPrefix ? "\(Self.all(startOfName + filters)) NOT \(Self.all(name))" : nil
    case .anywhere: return "\(Self.all(anywhere + filters)) NOT \(Self.all(startOfName))"
    case .startAnywhere:
      guard endsInPrefix else { return nil }
      return "\(Self.all(startAnywhere + filters)) NOT (\(Self.all(startOfName)) OR \(Self.all(anywhere)))"
    }
  }

  /// The expression that matches the objects of any tier; nil if there can be none.
  func everything(_ marks: SearchWords.Marks, filter: SearchFilter = SearchFilter()) -> String? {
    guard let filters = Self.terms(of: filter, marks), !isEmpty || !filters.isEmpty else { return nil }
    return Self.all(terms(in: [marks.name, marks.other], isPrefix: endsInPrefix) + filters)
  }

  /// The terms of a filter; nil if the objects with these marks do not have its properties.
  private static func terms(of filter: SearchFilter, _ marks: SearchWords.Marks) -> [String]? {
    var terms: [String] = []
    for part in filter.parts {
      guard let mark = marks.filters[part.property] else { return nil }
      terms += part.query.terms(in: [mark], isPrefix: part.query.endsInPrefix)
    }
    return terms
  }

  /// Each term, with any of these marks.
  private func terms(in marks: [String], isPrefix: Bool) -> [String] {
    terms.enumerated().map { index, words in
      let star = isPrefix && index == terms.count - 1 ? " *" : ""
      let ways = marks.map { mark in "\"\(words.map { mark + $0 }.joined(separator: " "))\"\(star)" }
      return "(\(ways.joined(separator: " OR ")))"
    }
  }

  private static func all(_ terms: [String]) -> String { "(\(terms.joined(separator: " AND ")))" }
}
