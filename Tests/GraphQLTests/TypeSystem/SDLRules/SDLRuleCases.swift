import Testing

@testable import GraphQL

/// The cases of one rule for type system documents.
struct SDLRuleCases: CustomTestStringConvertible, Sendable {
  struct Case: Sendable {
    let text: String
    /// The schema that the document extends.
    let base: String?
    /// The sorted errors, each as `line:column … message`; empty if the document is valid.
    let errors: [String]

    init(_ text: String, extending base: String? = nil, _ errors: String...) {
      self.text = text
      self.base = base
      self.errors = errors
    }
  }

  let rule: SDLRule
  let cases: [Case]

  init(_ rule: SDLRule, _ cases: [Case]) {
    self.rule = rule
    self.cases = cases
  }

  var testDescription: String { "\(rule)" }

  static let all = [
    loneSchemaDefinition, uniqueOperationTypes, uniqueTypeNames, uniqueEnumValueNames, uniqueFieldDefinitionNames,
    uniqueArgumentDefinitionNames, uniqueDirectiveNames, knownTypeNames, knownDirectives, uniqueDirectivesPerLocation,
    possibleTypeExtensions, knownArgumentNamesOnDirectives, uniqueArgumentNames, uniqueInputFieldNames,
    providedRequiredArgumentsOnDirectives,
  ]

  /// A schema with a type of each kind, to extend.
  static let shop = """
    type Query { shop: Shop }
    type Shop { name(short: Boolean): String }
    interface Named { name: String }
    union Thing = Shop
    enum Size { SMALL BIG }
    input Order { count: Int }
    scalar Money
    directive @mark(text: String) on OBJECT
    """
}
