import GraphQL
import GraphQLTransport

extension StoredDocuments {
  /// The trusted documents that the configuration names, and those of the server's own pages.
  convenience init(of configuration: Configuration, executable: ExecutableSchema) throws {
    var trusted =
      try configuration.trustedDocuments.map {
        try TrustedDocumentFiles.read($0, executable: executable, limits: configuration.limits)
      } ?? TrustedDocuments()
    trusted.areExclusive = configuration.acceptedDocuments == .trusted
    PageDocument.insert(configuration.appURL == nil ? PageDocument.allCases : [.stopInvitations], into: &trusted)
    self.init(trusted: trusted)
  }
}
