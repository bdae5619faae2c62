import GraphQL
import Storage

/// The argument `query` of a list of people: those in whose name each of its words begins a word.
struct NameFilter {
  /// Words beyond these are not looked at.
  private static let maximumWords = 3

  private let words: [String]
  var isEmpty: Bool { words.isEmpty }

  /// For a statement whose parameters 6 to 8 are bound.
  static let condition = "instr(name_key, ?6) AND instr(name_key, ?7) AND instr(name_key, ?8)"

  init(_ arguments: Arguments) throws(FieldError) {
    let query = arguments["query"]?.string ?? ""
    guard query.utf8.count <= 100 * InputForm.bytesPerCharacter else {
      throw FieldError("`query` is longer than a name can be.", code: .badUserInput)
    }
    words = NameOrder.patterns(of: query, maximum: Self.maximumWords)
  }

  func bind(to statement: Statement) throws(DatabaseError) {
    guard !words.isEmpty else { return }
    // Every text begins with the empty one.
    for place in 0..<Self.maximumWords { try statement.bind(6 + place, place < words.count ? words[place] : "") }
  }
}
