import GraphQL
import Hearth

extension Environment {
  /// What one request may cost. More bytes of a document than a request's body may have would never come; deeper than
  /// the parser goes, nothing comes either.
  func configureLimits(_ configuration: inout Configuration) throws {
    var limits = configuration.limits
    limits.documentBytes = try number("MAX_DOCUMENT_BYTES", in: 1...1 << 20) ?? limits.documentBytes
    limits.tokens = try number("MAX_TOKENS", in: 1...1 << 20) ?? limits.tokens
    limits.depth = try number("MAX_DEPTH", in: 1...64) ?? limits.depth
    limits.aliases = try number("MAX_ALIASES", in: 0...1 << 20) ?? limits.aliases
    limits.rootFields = try number("MAX_ROOT_FIELDS", in: 1...1 << 20) ?? limits.rootFields
    limits.directives = try number("MAX_DIRECTIVES", in: 0...1 << 20) ?? limits.directives
    limits.fragmentSpreads = try number("MAX_FRAGMENT_SPREADS", in: 0...1 << 20) ?? limits.fragmentSpreads
    limits.introspectionLists = try number("MAX_INTROSPECTION_LISTS", in: 1...16) ?? limits.introspectionLists
    limits.validationSteps = try number("MAX_VALIDATION_STEPS", in: 1...1 << 40) ?? limits.validationSteps
    limits.fields = try number("MAX_FIELDS", in: 1...1 << 20) ?? limits.fields
    limits.cost = try number("MAX_COST", in: 1...1 << 50) ?? limits.cost
    limits.errors = try number("MAX_ERRORS", in: 1...10_000) ?? limits.errors
    limits.variableValues = try number("MAX_VARIABLE_VALUES", in: 1...1 << 20) ?? limits.variableValues
    limits.responseBytes = try number("MAX_RESPONSE_BYTES", in: 1024...1 << 30) ?? limits.responseBytes
    configuration.limits = limits
  }
}
