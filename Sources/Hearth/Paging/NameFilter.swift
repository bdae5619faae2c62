import GraphQL
import Storage

/// The argument `query` of lists of people. A name matches if each word of the query is a prefix of one of its words.
struct NameFilter: Sendable {
  /// Further words are ignored.
  private static let maximumWords = 6

  let isEmpty: Bool
  /// The words. Missing ones are empty, which every name contains.
  let first: String
  let second: String
  let third: String
  let fourth: String
  let fifth: String
  let sixth: String

  /// The condition that a row's name matches.
  static var condition: SQLFragment<NameFilter> {
    """
    \(positionOf: \.first, in: "name_key") > 0 AND \(positionOf: \.second, in: "name_key") > 0 \
    AND \(positionOf: \.third, in: "name_key") > 0 AND \(positionOf: \.fourth, in: "name_key") > 0 \
    AND \(positionOf: \.fifth, in: "name_key") > 0 AND \(positionOf: \.sixth, in: "name_key") > 0
    """
  }

  init(_ arguments: Arguments) throws(FieldError) {
    let query = arguments["query"]?.string ?? ""
    guard query.utf8.count <= InputForm.maximumLineBytes else {
      throw FieldError("`query` is longer than a name can be.", code: .badUserInput)
    }
    let normalized = try CombiningMarks.normalizedQuery(query, argument: "query")
    let words = NameOrder.patterns(of: normalized, maximum: Self.maximumWords)
    isEmpty = words.isEmpty
    let padded = words + Array(repeating: "", count: Self.maximumWords - words.count)
    (first, second, third) = (padded[0], padded[1], padded[2])
    (fourth, fifth, sixth) = (padded[3], padded[4], padded[5])
  }
}
