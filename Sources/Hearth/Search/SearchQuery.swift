/// A parsed search query: words, and phrases in quotation marks. A match contains all of them, in any order.
struct SearchQuery: Sendable {
  /// Further words are ignored.
  static let maximumWords = 10

  /// The words of each term: a single word, or those of a phrase.
  private var terms: [[String]] = []
  /// Whether the last word may be a prefix, because the user is still typing it.
  private var endsInPrefix = false

  var isEmpty: Bool { terms.isEmpty }

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

  /// The FTS5 expression that matches the objects of `tier` but not of better tiers; nil if there can be none.
  ///
  /// The expression contains only words without punctuation, in quotation marks, so the input cannot inject syntax.
  func expression(for tier: Tier, marks: SearchWords.Marks) -> String? {
    let name = all(of: [marks.name], isPrefix: false)
    switch tier {
    case .name: return name
    case .startOfName: return endsInPrefix ? "\(startOfName(marks)) NOT \(name)" : nil
    case .anywhere: return "\(all(of: [marks.name, marks.other], isPrefix: false)) NOT \(startOfName(marks))"
    case .startAnywhere:
      guard endsInPrefix else { return nil }
      let anywhere = all(of: [marks.name, marks.other], isPrefix: false)
      return "\(everything(marks)) NOT (\(startOfName(marks)) OR \(anywhere))"
    }
  }

  /// The expression that matches the objects of any tier.
  func everything(_ marks: SearchWords.Marks) -> String { all(of: [marks.name, marks.other], isPrefix: endsInPrefix) }

  private func startOfName(_ marks: SearchWords.Marks) -> String { all(of: [marks.name], isPrefix: endsInPrefix) }

  /// Matches objects that contain each term with one of these marks.
  private func all(of marks: [String], isPrefix: Bool) -> String {
    let found = terms.enumerated().map { index, words in
      let star = isPrefix && index == terms.count - 1 ? " *" : ""
      let ways = marks.map { mark in "\"\(words.map { mark + $0 }.joined(separator: " "))\"\(star)" }
      return "(\(ways.joined(separator: " OR ")))"
    }
    return "(\(found.joined(separator: " AND ")))"
  }
}
