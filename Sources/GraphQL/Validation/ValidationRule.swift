/// The validation rules in the order in which graphql-js runs them, which is the order of their errors at one location.
enum ValidationRule: UInt8, CaseIterable, Sendable {
  case executableDefinitions
  case knownOperationTypes
  case uniqueOperationNames
  case loneAnonymousOperation
  case singleFieldSubscriptions
  case knownTypeNames
  case fragmentsOnCompositeTypes
  case variablesAreInputTypes
  case scalarLeafs
  case fieldsOnCorrectType
  case uniqueFragmentNames
  case knownFragmentNames
  case noUnusedFragments
  case possibleFragmentSpreads
  case noFragmentCycles
  case uniqueVariableNames
  case noUndefinedVariables
  case noUnusedVariables
  case knownDirectives
  case uniqueDirectivesPerLocation
  case deferStreamDirectiveOnRootField
  case deferStreamDirectiveOnValidOperations
  case deferStreamDirectiveLabel
  case streamDirectiveOnListField
  case knownArgumentNames
  case uniqueArgumentNames
  case valuesOfCorrectType
  case providedRequiredArguments
  case variablesInAllowedPosition
  case overlappingFieldsCanBeMerged
  case uniqueInputFieldNames
  // Optional rules, which are not a part of the specification.
  case noSchemaIntrospection
  case noDeprecated
  case limits
}
