import GraphQL

/// The service cannot serve a request at the moment, for example because its database does not answer. Thrown by the
/// methods of a `GraphQLService` that identify callers or find recorded responses. HTTP responds with status 503.
package struct ServiceUnavailable: Error {
  let error: GraphQLError

  package init(_ error: GraphQLError) { self.error = error }
}

extension ErrorCode {
  /// The data cannot be read or written: the disk is full or fails, the database file was moved or removed, or the
  /// database server does not answer.
  package static let storageUnavailable = ErrorCode(rawValue: "STORAGE_UNAVAILABLE")
}
