/// Validates executable documents against a schema (specification, section 5).
///
/// The document is walked once. All rules that concern single nodes are checked during the walk, which also collects
/// spreads, variables and response keys. The rules about relations between nodes then use the collected data, and run
/// only if there is any. Deciding whether a document is valid creates no strings. Errors are explained by the slower
/// algorithms of graphql-js, so that they are exactly the same.
package enum Validator {
  /// The errors of a document in document order; empty for a valid document. The messages and locations are those of
  /// graphql-js; the code is `GRAPHQL_VALIDATION_FAILED`, or that of the limit exceeded.
  package static func validate(
    _ document: Document,
    against schema: Schema,
    options: ValidationOptions = ValidationOptions()
  ) -> [GraphQLError] {
    var validation = Validation(document, schema: schema, options: options)
    validation.run()
    return validation.violations.errors(in: document.source)
  }
}
