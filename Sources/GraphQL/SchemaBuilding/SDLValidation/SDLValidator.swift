/// Validates type system documents by themselves, before anything is built from them (specification, section 3): what
/// the names in them refer to, and that nothing is defined twice. Whether the types then make sense together is
/// `TypeValidator`'s to say.
package enum SDLValidator {
  /// The faults of a document, none for a valid one, in the order of the places where they lie. Messages and places are
  /// those of graphql-js; their code is `SCHEMA_INVALID`.
  /// - Parameter existing: The schema that the document extends; nil where it is a schema of its own.
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
