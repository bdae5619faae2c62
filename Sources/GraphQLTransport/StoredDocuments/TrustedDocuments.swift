import GraphQL

/// Documents that a deployment has chosen when it starts: those of its own apps. Requests name them, by the name they
/// were given or by their SHA-256.
package struct TrustedDocuments: Sendable {
  /// Whether nothing else is executed.
  package var areExclusive = false
  private var documents: [[UInt8]: [UInt8]] = [:]

  package init() {}

  /// - Returns: whether the name was free, or had this document already.
  package mutating func insert(_ document: [UInt8], as id: String) -> Bool {
    let known = documents.updateValue(document, forKey: Array(id.utf8))
    documents[SHA256Digits.hex(of: document)] = document
    return known == nil || known == document
  }

  func document(for id: ArraySlice<UInt8>) -> [UInt8]? {
    documents.isEmpty ? nil : documents[Array(id)]
  }

  /// What is wrong with a document, so that it is said when the server starts and not to who asks for it.
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
