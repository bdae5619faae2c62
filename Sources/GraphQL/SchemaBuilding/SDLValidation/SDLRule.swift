/// The validation rules for type system documents, in the order in which graphql-js runs them.
package enum SDLRule: String, CaseIterable, Sendable {
  case loneSchemaDefinition
  case uniqueOperationTypes
  case uniqueTypeNames
  case uniqueEnumValueNames
  case uniqueFieldDefinitionNames
  case uniqueArgumentDefinitionNames
  case uniqueDirectiveNames
  case knownTypeNames
  case knownDirectives
  case uniqueDirectivesPerLocation
  case possibleTypeExtensions
  case knownArgumentNamesOnDirectives
  case uniqueArgumentNames
  case uniqueInputFieldNames
  case providedRequiredArgumentsOnDirectives
}

extension SDLRule {
  var check: (inout SDLValidation) -> Void {
    switch self {
    case .loneSchemaDefinition: LoneSchemaDefinition.check
    case .uniqueOperationTypes: UniqueOperationTypes.check
    case .uniqueTypeNames: UniqueTypeNames.check
    case .uniqueEnumValueNames: UniqueEnumValueNames.check
    case .uniqueFieldDefinitionNames: UniqueFieldDefinitionNames.check
    case .uniqueArgumentDefinitionNames: UniqueArgumentDefinitionNames.check
    case .uniqueDirectiveNames: UniqueDirectiveNames.check
    case .knownTypeNames: KnownTypeNamesInSDL.check
    case .knownDirectives: KnownDirectivesInSDL.check
    case .uniqueDirectivesPerLocation: UniqueDirectivesPerLocationInSDL.check
    case .possibleTypeExtensions: PossibleTypeExtensions.check
    case .knownArgumentNamesOnDirectives: KnownArgumentNamesOnDirectives.check
    case .uniqueArgumentNames: UniqueArgumentNamesInSDL.check
    case .uniqueInputFieldNames: UniqueInputFieldNamesInSDL.check
    case .providedRequiredArgumentsOnDirectives: ProvidedRequiredArgumentsOnDirectives.check
    }
  }
}
