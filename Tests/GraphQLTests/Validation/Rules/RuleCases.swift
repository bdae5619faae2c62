import Testing

@testable import GraphQL

/// The cases of one validation rule: documents that it accepts, and documents that it rejects, with every error.
struct RuleCases: CustomTestStringConvertible, Sendable {
  struct InvalidDocument: Sendable {
    let text: String
    /// Each as `line:column … message`.
    let errors: [String]

    init(_ text: String, _ errors: String...) {
      self.text = text
      self.errors = errors
    }
  }

  let rule: ValidationRule
  let valid: [String]
  let invalid: [InvalidDocument]

  init(_ rule: ValidationRule, valid: [String], invalid: [InvalidDocument]) {
    self.rule = rule
    self.valid = valid
    self.invalid = invalid
  }

  var testDescription: String { "\(rule)" }

  static let all = [
    executableDefinitions, knownOperationTypes, uniqueOperationNames, loneAnonymousOperation,
    singleFieldSubscriptions, knownTypeNames, fragmentsOnCompositeTypes, variablesAreInputTypes, scalarLeafs,
    fieldsOnCorrectType, uniqueFragmentNames, knownFragmentNames, noUnusedFragments, possibleFragmentSpreads,
    noFragmentCycles, uniqueVariableNames, noUndefinedVariables, noUnusedVariables, knownDirectives,
    uniqueDirectivesPerLocation, deferStreamDirectiveOnRootField, deferStreamDirectiveOnValidOperations,
    deferStreamDirectiveLabel, streamDirectiveOnListField, knownArgumentNames, uniqueArgumentNames,
    valuesOfCorrectType, providedRequiredArguments, variablesInAllowedPosition, overlappingFieldsCanBeMerged,
    uniqueInputFieldNames, maxIntrospectionDepth, noSchemaIntrospection, noDeprecated,
  ]
}
