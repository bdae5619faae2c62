import GraphQLTransport

extension Configuration {
  /// Reads and validates the trusted documents, as a start of the server does.
  ///
  /// - Throws: `DocumentManifest.Unusable` with a sentence about the first one that cannot be used.
  package func checkTrustedDocuments() throws {
    guard trustedDocuments != nil else { return }
    _ = try StoredDocuments(of: self, executable: HearthSchema.executable(isSubgraph: isSubgraph))
  }
}
