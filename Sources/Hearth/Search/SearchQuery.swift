/// What somebody looks for: words, and phrases in quotation marks. All of them must be found, each wherever it is.
struct SearchQuery: Sendable {
  /// Words beyond these are not looked for.
  static let maximumWords = 10

  /// The words of each: one, or those of a phrase.
  private var terms: [[String]] = []
  /// Whether the last word may be the beginning of one: somebody is still typing it.
  private var endsInPrefix = false

  var isEmpty: Bool { terms.isEmpty }

  init(_ text: String) {
    var count = 0
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    for (place, part) in parts.enumerated() {
      let words = Array(NameOrder.words(of: String(part)).prefix(Self.maximumWords - count))
      guard !words.isEmpty else { continue }
      count += words.count
      // Every other part lies between two quotation marks, but for the last one, behind a mark that nothing closes.
      let isPhrase = !place.isMultiple(of: 2) && place < parts.count - 1
      terms += isPhrase ? [words] : words.map { [$0] }
      endsInPrefix = !isPhrase
    }
  }

  /// How well something matches: the better ones first.
  enum Tier: Int64, CaseIterable, Sendable {
    /// Every word is one of the name.
    case name
    /// Every word is one of the name, but the last is only the beginning of one.
    case startOfName
    /// Every word is somewhere.
    case anywhere
    /// The last word is only the beginning of one.
    case startAnywhere
  }

  /// The expression of FTS5 that finds what is in `tier` and in none before it; nil where there can be nothing.
  ///
  /// Only words without punctuation come into it, within quotation marks: nothing that is typed is syntax.
  func expression(_ tier: Tier, _ marks: SearchWords.Marks) -> String? {
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

  /// The expression that finds what is in any tier.
  func everything(_ marks: SearchWords.Marks) -> String { all(of: [marks.name, marks.other], isPrefix: endsInPrefix) }

  private func startOfName(_ marks: SearchWords.Marks) -> String { all(of: [marks.name], isPrefix: endsInPrefix) }

  /// That each term is there with one of these marks.
  private func all(of marks: [String], isPrefix: Bool) -> String {
    let found = terms.enumerated().map { place, words in
      let star = isPrefix && place == terms.count - 1 ? " *" : ""
      let ways = marks.map { mark in "\"\(words.map { mark + $0 }.joined(separator: " "))\"\(star)" }
      return "(\(ways.joined(separator: " OR ")))"
    }
    return "(\(found.joined(separator: " AND ")))"
  }
}
