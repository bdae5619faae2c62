/// The indexed words of a person or a group.
///
/// Each word is prefixed with a letter for the kind of object and property. A search for names therefore reads only
/// names, however often a word is also a city. The words of properties that a search can be filtered by are indexed a
/// second time with a letter of their own. "Browning Duncan" of Amherst is `nbrowning nduncan s oamherst s camherst`.
enum SearchWords {
  /// The prefixes of the words of a name, of all other properties, and of those that a search can be filtered by.
  struct Marks: Sendable {
    let name: String
    let other: String
    /// By property. Objects without such a property have no mark for it.
    let filters: [SearchFilter.Property: String]

    static let person = Marks(name: "n", other: "o", filters: [.name: "n", .city: "c", .company: "w", .school: "d"])
    static let group = Marks(name: "g", other: "h", filters: [.name: "g", .city: "k"])
  }

  /// A property other than the name. A text can have several lines, one for each value.
  struct Other {
    let text: String?
    /// The filter that the property belongs to.
    let filter: SearchFilter.Property?
  }

  /// The version of what is indexed. `SearchIndex.renew` updates the entries of earlier versions.
  static let version: Int64 = 1

  /// Separates properties, so that no phrase matches across them.
  private static let separator = "s"

  static func text(name: String, others: [Other], _ marks: Marks) -> String {
    let values = others.flatMap { other in
      (other.text ?? "").split(separator: "\n").map { (text: String($0), filter: other.filter) }
    }
    let searched = values.map { marked($0.text, with: marks.other) }
    let filtered = values.compactMap { value in
      value.filter.flatMap { marks.filters[$0] }.map { marked(value.text, with: $0) }
    }
    return ([marked(name, with: marks.name)] + (searched + filtered).filter { !$0.isEmpty })
      .joined(separator: " \(separator) ")
  }

  /// A text with long words that an earlier version stored, as this version stores it.
  static func shortened(_ text: String) -> String {
    text.split(separator: " ").map { String($0).prefix(bytes: NameOrder.maximumWordBytes + 1) }.joined(separator: " ")
  }

  private static func marked(_ text: String, with mark: String) -> String {
    NameOrder.words(of: text).map { mark + $0 }.joined(separator: " ")
  }
}
