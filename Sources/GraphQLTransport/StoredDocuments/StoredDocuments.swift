import GraphQL
import Synchronization

/// Documents that requests name instead of sending them. One for all loops: a client that sends a document to one may
/// name it to another. A loop asks here once for each document, and has its plan from then on.
package final class StoredDocuments: Sendable {
  private let trusted: TrustedDocuments
  private let persisted = Mutex(PersistedQueries())

  package init(trusted: TrustedDocuments = TrustedDocuments()) { self.trusted = trusted }

  /// Whether only trusted documents are executed.
  var areExclusive: Bool { trusted.areExclusive }

  /// The document that a request wants executed.
  func document(of asked: GraphQLRequest) throws(GraphQLErrors) -> [UInt8] {
    guard let id = asked.documentID else {
      if areExclusive { throw .documentIDRequired }
      return asked.document
    }
    guard asked.hasDocument else {
      if let document = trusted.document(for: id) { return document }
      if areExclusive { throw .documentNotTrusted }
      guard let document = persisted.withLock({ $0.document(for: id) }) else { throw .persistedQueryNotFound }
      return document
    }
    let document = asked.document
    guard id.elementsEqual(SHA256Digits.hex(of: document)) else { throw .hashMismatch }
    if areExclusive && trusted.document(for: id) == nil { throw .documentNotTrusted }
    return document
  }

  /// Keeps what came with a hash that is its own, and is good.
  func keep(_ document: [UInt8], for hash: ArraySlice<UInt8>) {
    guard trusted.document(for: hash) == nil else { return }
    persisted.withLock { $0.insert(document, for: hash) }
  }
}

// The codes, and the first message, are those that clients of Apollo's protocol look for.
extension GraphQLErrors {
  fileprivate static let persistedQueryNotFound = GraphQLErrors([
    GraphQLError("PersistedQueryNotFound", code: .persistedQueryNotFound)
  ])
  fileprivate static let hashMismatch = GraphQLErrors([
    GraphQLError(
      "The document is not the one that was named: its SHA-256 is another.",
      code: ErrorCode(rawValue: "PERSISTED_QUERY_HASH_MISMATCH")
    )
  ])
  fileprivate static let documentIDRequired = GraphQLErrors([
    GraphQLError(
      "Only documents that this server was given are executed: name one by `documentId`.",
      code: ErrorCode(rawValue: "PERSISTED_QUERY_ID_REQUIRED")
    )
  ])
  fileprivate static let documentNotTrusted = GraphQLErrors([
    GraphQLError(
      "This document is none of those that this server was given, and only those are executed.",
      code: ErrorCode(rawValue: "PERSISTED_QUERY_NOT_IN_LIST")
    )
  ])
}

extension ErrorCode {
  static let persistedQueryNotFound = ErrorCode(rawValue: "PERSISTED_QUERY_NOT_FOUND")
}
