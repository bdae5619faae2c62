/// The words of a person or a group, as they stand in the index of the search.
///
/// Each word has a letter before it that says whose it is and what it is of, so that a look for a name reads the names
/// alone, however often the word is also a place. "Browning Duncan" of Amherst is `nbrowning nduncan s oamherst`.
enum SearchWords {
  /// What a word is of.
  struct Marks: Sendable {
    let name: String
    let other: String

    static let person = Marks(name: "n", other: "o")
    static let group = Marks(name: "g", other: "h")
  }

  /// Stands between what belongs to different fields, so that no phrase is found across them.
  private static let separator = "s"

  static func text(name: String, others: [String?], _ marks: Marks) -> String {
    let fields = others.compactMap { $0 }.flatMap { $0.split(separator: "\n") }
    return ([marked(name, marks.name)] + fields.map { marked(String($0), marks.other) }.filter { !$0.isEmpty })
      .joined(separator: " \(separator) ")
  }

  private static func marked(_ text: String, _ mark: String) -> String {
    NameOrder.words(of: text).map { mark + $0 }.joined(separator: " ")
  }
}
