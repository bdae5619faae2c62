import GraphQL

/// The uses of deprecated fields, arguments, enum values and input fields in the documents of a client. They are no
/// errors: a server executes such documents until the elements are removed.
package enum DeprecatedUses {
  /// A warning for each use, with its file and location and the reason of the deprecation.
  ///
  /// - Parameters:
  ///   - documents: The names and texts of the files with operations and fragments.
  ///   - schema: The schema in the schema definition language.
  package static func warnings(
    of documents: [(name: String, text: String)],
    schema: String
  ) throws(GenerationError) -> [String] {
    try ClientDocument(documents, schema: .ofClient(schema)).warnings
  }
}
