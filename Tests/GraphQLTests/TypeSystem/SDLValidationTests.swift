import Testing

@testable import GraphQL

@Suite("Validation of type system documents")
struct SDLValidationTests {
  @Test func `reports the errors of all rules in document order`() throws {
    let document = try Parser.parse(
      Source(
        """
        type A @unknown { a: Nowhere, a: Int }
        extend type B { b: Int }
        schema { query: A }
        schema @specifiedBy(url: "a", url: "b") { query: A }
        input P { p: P = {p: 1, p: 2} }
        """
      )
    )
    let errors = try SDLValidator.validate(document)
    #expect(
      errors.map { "\($0.locations.map { "\($0.line):\($0.column)" }.joined(separator: " ")) \($0.message)" } == [
        "1:8 Unknown directive \"@unknown\".",
        "1:22 Unknown type \"Nowhere\".",
        "1:19 1:31 Field \"A.a\" can only be defined once.",
        "2:13 Cannot extend type \"B\" because it is not defined. Did you mean \"A\" or \"P\"?",
        "4:1 Must provide only one schema definition.",
        "4:8 Directive \"@specifiedBy\" may not be used on SCHEMA.",
        "4:21 4:31 There can be only one argument named \"url\".",
        "3:10 4:43 There can be only one query type in schema.",
        "5:19 5:25 There can be only one input field named \"p\".",
      ]
    )
  }
}
