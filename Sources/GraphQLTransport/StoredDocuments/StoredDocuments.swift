import GraphQL
import Synchronization

/// Documents that requests can name instead of sending them. Shared by all loops, because a client can send a document
/// to one loop and name it to another. Each loop looks a document up once and caches its plan.
package final class StoredDocuments: Sendable {
  private let trusted: TrustedDocuments
  private let persisted = Mutex(PersistedQueries())

  package init(trusted: TrustedDocuments = TrustedDocuments()) { self.trusted = trusted }

  /// Whether only trusted documents are executed.
  var areExclusive: Bool { trusted.areExclusive }

  /// The document of a request.
  func document(of asked: GraphQLRequest) throws(GraphQLErrors) -> [UInt8] {
    guard let id = asked.documentID else {
      if areExclusive { throw .documentIDRequired }
      return asked.document
    }
    guard asked.hasDocument else {
      if let document = trusted.document(for: id) { return document }
      if areExclusive { throw .documentNotTrusted }
      guard let document = persisted.withLock({ $0.document(for: id) }) else {
        throw asked.namesPersistedQuery ? .persistedQueryNotFound : .documentNotFound
      }
      return document
    }
    let document = asked.document
    let hash = SHA256Digits.hex(of: document)
    guard id.elementsEqual(hash) else {
      // The identifier is the name of a trusted document, or the client sends an empty `query` for none.
      let isNamed = !asked.namesPersistedQuery && (id.count != hash.count || document.isEmpty)
      throw isNamed ? .documentIDWithDocument : .hashMismatch
    }
    if areExclusive && trusted.document(for: id) == nil { throw .documentNotTrusted }
    return document
  }

  /// Stores a valid document that was sent with its SHA-256.
  func keep(_ document: [UInt8], for hash: ArraySlice<UInt8>) {
    guard trusted.document(for: hash) == nil else { return }
    persisted.withLock { $0.insert(document, for: hash) }
  }
}

// Clients of Apollo's protocol look for these codes and for the first message.
extension GraphQLErrors {
  static let persistedQueryNotFound = GraphQLErrors([
    GraphQLError("PersistedQueryNotFound", code: .persistedQueryNotFound)
  ])
  fileprivate static let documentNotFound = GraphQLErrors([
    GraphQLError(
      "This server does not know the document of this `documentId`: send its text as `query`.",
      code: .persistedQueryNotFound
    )
  ])
  fileprivate static let hashMismatch = GraphQLErrors([
    GraphQLError(
      "The SHA-256 of the document does not match the given identifier.",
      code: .persistedQueryHashMismatch
    )
  ])
  fileprivate static let documentIDWithDocument = GraphQLErrors([
    GraphQLError(
      "Send `documentId` or `query`, not both: only the SHA-256 of a document can be sent with it.",
      code: .persistedQueryHashMismatch
    )
  ])
  fileprivate static let documentIDRequired = GraphQLErrors([
    GraphQLError(
      "This server executes trusted documents only: name one by `documentId`.",
      code: ErrorCode(rawValue: "PERSISTED_QUERY_ID_REQUIRED")
    )
  ])
  fileprivate static let documentNotTrusted = GraphQLErrors([
    GraphQLError(
      "This document is not one of the trusted documents of this server.",
      code: ErrorCode(rawValue: "PERSISTED_QUERY_NOT_IN_LIST")
    )
  ])
}

extension ErrorCode {
  static let persistedQueryNotFound = ErrorCode(rawValue: "PERSISTED_QUERY_NOT_FOUND")
  fileprivate static let persistedQueryHashMismatch = ErrorCode(rawValue: "PERSISTED_QUERY_HASH_MISMATCH")
}
