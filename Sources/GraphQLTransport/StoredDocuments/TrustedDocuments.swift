import GraphQL

/// Trusted documents: those of the deployment's own apps, read at startup. Requests name them by the name they were
/// given or by their SHA-256.
package struct TrustedDocuments: Sendable {
  /// Whether all other documents are rejected.
  package var areExclusive = false
  private var documents: [[UInt8]: [UInt8]] = [:]

  package init() {}

  /// - Returns: whether the name was unused, or already had this document.
  package mutating func insert(_ document: [UInt8], as id: String) -> Bool {
    let known = documents.updateValue(document, forKey: Array(id.utf8))
    documents[SHA256Digits.hex(of: document)] = document
    return known == nil || known == document
  }

  func document(for id: ArraySlice<UInt8>) -> [UInt8]? {
    documents.isEmpty ? nil : documents[Array(id)]
  }

  /// Validates a document, so that its errors are reported at startup instead of to its callers.
  package static func faults(
    in document: [UInt8],
    _ executable: ExecutableSchema,
    limits: RequestLimits
  ) -> [GraphQLError] {
    let preparation = Preparation(executable, limits: limits)
    do {
      let parsed = try Parser.parse(Source(document), options: preparation.parsing)
      return Validator.validate(
        parsed,
        against: executable.schema,
        options: preparation.validation ?? ValidationOptions()
      )
    } catch {
      return [error]
    }
  }
}
