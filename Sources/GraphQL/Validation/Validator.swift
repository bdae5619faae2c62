/// Validates executable documents against a schema (specification, section 5).
///
/// The document is walked once, with every rule that looks at single nodes along the way; what spreads, variables and
/// response keys it meets is noted. The rules about how these hang together then run over the notes, and only those
/// that have any. Whether a document is valid is decided without making a string; a fault found is explained by the
/// slower, exact algorithms of graphql-js, so that its errors are theirs.
package enum Validator {
  /// The faults of a document, none for a valid one, in the order in which reading meets them. Their messages and
  /// places are those of graphql-js; their code is `GRAPHQL_VALIDATION_FAILED`, or that of the limit passed.
  package static func validate(
    _ document: Document,
    against schema: Schema,
    options: ValidationOptions = ValidationOptions()
  ) -> [GraphQLError] {
    var validation = Validation(document, schema, options)
    validation.run()
    return validation.violations.errors(in: document.source)
  }
}
