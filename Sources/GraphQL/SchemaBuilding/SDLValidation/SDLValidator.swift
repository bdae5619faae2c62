/// Validates type system documents before a schema is built from them (specification, section 3): all references are
/// defined, and nothing is defined twice. `TypeValidation` then checks whether the types are consistent.
package enum SDLValidator {
  /// The errors of a document in the order of their locations; empty for a valid document. The messages and locations
  /// are those of graphql-js; the code is `SCHEMA_INVALID`.
  /// - Parameter existing: The schema that the document extends, or nil if it extends none.
  package static func validate(
    _ document: Document,
    extending existing: Document? = nil,
    rules: [SDLRule] = SDLRule.allCases
  ) throws(GraphQLError) -> [GraphQLError] {
    var validation = SDLValidation(document, existing: existing, builtIn: try BuiltInDefinitions.document())
    for rule in rules { rule.check(&validation) }
    return validation.errors()
  }
}
