import Testing

@testable import GraphQL

/// A few documents for each rule. The recorded results of graphql-js and the comparison with graphql-core cover more;
/// these tests do not depend on them.
@Suite("Validation rules")
struct RuleTests {
  @Test(arguments: validDocuments)
  func `reports no errors for a valid document`(text: String) throws {
    #expect(try faults(text) == [])
  }

  @Test(arguments: invalidDocuments)
  func `reports every error and its locations`(document: InvalidDocument) throws {
    let found = try faults(document.text)
    #expect(found == document.faults, "found:\n\(found.joined(separator: "\n"))\n\(document.text)")
  }

  struct InvalidDocument: CustomTestStringConvertible {
    let text: String
    let faults: [String]

    init(_ text: String, _ faults: String...) {
      self.text = text
      self.faults = faults
    }

    var testDescription: String { text }
  }

  static let validDocuments = [
    "{ adult { id name email children { id points } } }",
    "query A { adult { id } } query B { adult { id } }",
    "query ($id: ID!, $short: Boolean = true) { child(id: $id) { name(short: $short) ...F } } fragment F on Child { id }",
    "{ viewer { __typename ... on Member { name } ... on Adult { age } ... on Child { points } } }",
    "{ member { ... on Adult { x: name } ... on Child { x: age } } }",
    "{ member { ... on Adult { x: owner { id } } ... on Child { x: best { id } } } }",
    "{ chores(first: 3, ids: \"one\", grade: HIGH, at: {any: [thing]}) { title } }",
    "{ chore(where: {id: 4}) { id } }",
    "query ($id: ID!) { chore(where: {id: $id}) { id } }",
    "{ check(int: -2147483648, float: 1, string: \"\"\"b\"\"\", boolean: false, id: 7, list: 1, matrix: [[1, null], 2]) }",
    "mutation { add(input: {title: \"t\"}) { id } }",
    "mutation ($tag: String!, $points: Int) { add(input: {title: $tag, tags: [$tag], points: $points}) { id } }",
    "subscription { changed { id } }",
    "subscription S { ...F } fragment F on Subscription { changed { id } changed { title } }",
    "query ($a: Int @mark) @onQuery { child(level: $a) @cached(seconds: 1) { id @note @note(text: \"x\") } }",
    "{ __schema { types { name fields { name } } } __type(name: \"Adult\") { name } __typename }",
    "{ adult { a: name(short: true) a: name(short: true) children { id } children { points } } }",
    "{ check(list: [1, 2], int: 1) check(int: 1, list: [1, 2]) }",
    "{ ...F ...F } fragment F on Query { adult { ...G ... on Node { ...H } } } fragment G on Adult { id } "
      + "fragment H on Node { id }",
    "{ ... @include(if: true) { adult { id } } }",
    "query ($a: [Int!]!, $b: [[Int]!]) { check(list: $a, matrix: $b) }",
  ]
}
