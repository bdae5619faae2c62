import GraphQL

extension ServerSetting {
  /// Limits on the cost of a request. The body limit bounds the size of a document, and the parser bounds its depth, so
  /// these settings cannot exceed those.
  static let limits: [ServerSetting] = [
    .number(
      "MAX_DOCUMENT_BYTES",
      property: \.limits.parsing.documentBytes,
      in: 1...1 << 20,
      "the maximum number of bytes of a document: see [limits](#limits)"
    ),
    .number(
      "MAX_TOKENS",
      property: \.limits.parsing.tokens,
      in: 1...1 << 20,
      "the maximum number of tokens of a document"
    ),
    .number("MAX_DEPTH", property: \.limits.depth, in: 1...64, "the maximum nesting depth of fields, up to 64"),
    .number(
      "MAX_ALIASES",
      property: \.limits.validation.limits.aliases,
      in: 0...1 << 20,
      "the maximum number of aliases of a document"
    ),
    .number(
      "MAX_ROOT_FIELDS",
      property: \.limits.validation.limits.rootFields,
      in: 1...1 << 20,
      "the maximum number of root fields of an operation"
    ),
    .number(
      "MAX_DIRECTIVES",
      property: \.limits.validation.limits.directives,
      in: 0...1 << 20,
      "the maximum number of directives at one location"
    ),
    .number(
      "MAX_FRAGMENT_SPREADS",
      property: \.limits.validation.limits.fragmentSpreads,
      in: 0...1 << 20,
      "the maximum number of fragment spreads of an operation"
    ),
    .number(
      "MAX_INTROSPECTION_LISTS",
      property: \.limits.validation.limits.introspectionLists,
      in: 1...16,
      "the nesting depth of introspection lists that is rejected"
    ),
    .number(
      "MAX_VALIDATION_STEPS",
      property: \.limits.validation.budget,
      in: 1...1 << 40,
      "the maximum number of steps to validate a document; 100,000 take some milliseconds"
    ),
    .number(
      "MAX_FIELDS",
      property: \.limits.planning.fields,
      in: 1...1 << 20,
      "the maximum number of fields of an operation"
    ),
    .number(
      "MAX_COST",
      property: \.limits.cost,
      // Signing in costs up to 120,000.
      in: 120_000...1 << 50,
      "the maximum cost of an operation, at least 120,000"
    ),
    .number(
      "MAX_VARIABLE_VALUES",
      property: \.limits.execution.variableValues,
      in: 1...1 << 20,
      "the maximum number of values and keys in the variables of a request"
    ),
    .number("MAX_ERRORS", property: \.limits.errors, in: 1...10_000, "the maximum number of errors in a response"),
    .number(
      "MAX_RESPONSE_BYTES",
      property: \.limits.execution.responseBytes,
      in: 1024...1 << 30,
      "the maximum number of bytes of a response"
    ),
  ]
}
