import Testing

@testable import GraphQL

/// Random documents, validated against a schema with every kind of type. Validation of each must end with bounded work,
/// and every error must have a location.
@Suite("Fuzzed validation")
struct ValidationFuzzTests {
  /// The documents that are mutated, in addition to generated ones.
  private static let corpus = [
    "{ cat { id } }",
    "query Q($a: Int = 1, $b: [String!]) { a: echo(int: $a) ...F } fragment F on Query { __typename ...F }",
    "query ($v: Boolean!) { ... on Query @skip(if: $v) @include(if: $v) { __typename } }",
    "{ __schema { types { name fields { name type { ofType { ofType { name } } } } } } }",
    "subscription { a b } mutation { c } fragment X on Nothing { y }",
  ]

  @Test(arguments: [11, 12, 13, 14] as [UInt64])
  func `terminates on every document that parses`(seed: UInt64) throws {
    let schema = try Zoo.executable().schema
    var generator = DocumentGenerator(seed: seed)
    var (validated, valid) = (0, 0)
    for round in 0..<300 {
      let text = round % 2 == 0 ? generator.document(descriptions: true) : Self.corpus[round / 2 % Self.corpus.count]
      let bytes = round < 20 ? Array(text.utf8) : generator.mutate(Array(text.utf8))
      guard let document = try? Parser.parse(Source(bytes)) else { continue }
      let errors = Validator.validate(document, against: schema)
      validated += 1
      if errors.isEmpty { valid += 1 }
      #expect(errors.count <= 101)
      #expect(errors.allSatisfy { !$0.message.isEmpty })
    }
    #expect(validated > 30 && valid < validated)
  }
}
