/// The indexed words of a person or a group.
///
/// Each word is prefixed with a letter for the kind of object and property. A search for names therefore reads only
/// names, however often a word is also a city. "Browning Duncan" of Amherst is `nbrowning nduncan s oamherst`.
enum SearchWords {
  /// The prefixes of the words of a name and of other properties.
  struct Marks: Sendable {
    let name: String
    let other: String

    static let person = Marks(name: "n", other: "o")
    static let group = Marks(name: "g", other: "h")
  }

  /// Separates properties, so that no phrase matches across them.
  private static let separator = "s"

  static func text(name: String, others: [String?], _ marks: Marks) -> String {
    let fields = others.compactMap { $0 }.flatMap { $0.split(separator: "\n") }
    return
      ([marked(name, with: marks.name)] + fields.map { marked(String($0), with: marks.other) }.filter { !$0.isEmpty })
      .joined(separator: " \(separator) ")
  }

  private static func marked(_ text: String, with mark: String) -> String {
    NameOrder.words(of: text).map { mark + $0 }.joined(separator: " ")
  }
}
