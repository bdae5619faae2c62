import GraphQL
import Storage

/// The argument `query` of a list of people: those in whose name each of its words begins a word.
struct NameFilter: Sendable {
  /// Words beyond these are ignored.
  private static let maximumWords = 3

  let isEmpty: Bool
  /// The words; empty where there are fewer, as every text contains the empty one.
  let first: String
  let second: String
  let third: String

  /// That a row's name matches.
  static var condition: SQLFragment<NameFilter> {
    """
    \(positionOf: \.first, in: "name_key") AND \(positionOf: \.second, in: "name_key") \
    AND \(positionOf: \.third, in: "name_key")
    """
  }

  init(_ arguments: Arguments) throws(FieldError) {
    let query = arguments["query"]?.string ?? ""
    guard query.utf8.count <= 100 * InputForm.bytesPerCharacter else {
      throw FieldError("`query` is longer than a name can be.", code: .badUserInput)
    }
    let words = NameOrder.patterns(of: query, maximum: Self.maximumWords)
    isEmpty = words.isEmpty
    first = words.first ?? ""
    second = words.count > 1 ? words[1] : ""
    third = words.count > 2 ? words[2] : ""
  }
}
