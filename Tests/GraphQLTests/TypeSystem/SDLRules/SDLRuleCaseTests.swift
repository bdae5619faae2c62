import Testing

@testable import GraphQL

/// Each rule separately, with each message and location. graphql-core 3.2.8 reports the same errors, except for
/// built-in scalars in suggestions, and for directives on the input fields of extensions, which it treats as arguments.
@Suite("Validation of type system documents, rule by rule")
struct SDLRuleCaseTests {
  @Test func `every rule has cases`() {
    #expect(Set(SDLRuleCases.all.map(\.rule)) == Set(SDLRule.allCases))
    for cases in SDLRuleCases.all {
      #expect(cases.cases.contains { $0.errors.isEmpty } && cases.cases.contains { !$0.errors.isEmpty })
    }
  }

  @Test(arguments: SDLRuleCases.all)
  func `reports every error and its locations`(cases: SDLRuleCases) throws {
    for example in cases.cases {
      let base = try example.base.map { try Parser.parse(Source($0)) }
      let document = try Parser.parse(Source(example.text))
      let errors = try SDLValidator.validate(document, extending: base, rules: [cases.rule])
      let texts = errors.map { error in
        error.locations.map { "\($0.line):\($0.column) " }.joined() + error.message
      }
      #expect(texts.sorted() == example.errors, "\(example.text)")
      #expect(errors.allSatisfy { $0.code == .schemaInvalid })
    }
  }
}
