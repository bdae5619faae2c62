/// An error as clients receive it (specification, section 7.1.2).
package struct GraphQLError: Error, Hashable, Sendable {
  package var message: String
  package var locations: [SourceLocation]
  package var path: [PathSegment]
  /// Tells programs what `message` tells people; sent as `extensions.code`.
  package var code: ErrorCode
  /// All that a client is told of what went wrong inside.
  static let internalErrorMessage = "Something went wrong on our side."

  /// In how many seconds the same may be tried again; sent as `extensions.retryAfter`.
  package var retryAfter: Int64?

  package init(
    _ message: String,
    at locations: [SourceLocation] = [],
    path: [PathSegment] = [],
    code: ErrorCode,
    retryAfter: Int64? = nil
  ) {
    self.message = message
    self.locations = locations
    self.path = path
    self.code = code
    self.retryAfter = retryAfter
  }
}

/// One step from the answer's root to a field: a response key, or an index in a list.
package enum PathSegment: Hashable, Sendable {
  case key(String)
  case index(Int)
}

/// The stable codes. A code never changes its meaning once it is released.
package struct ErrorCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The document is not GraphQL.
  package static let parseFailed = ErrorCode(rawValue: "GRAPHQL_PARSE_FAILED")
  /// The document has more bytes than are read.
  package static let documentTooLarge = ErrorCode(rawValue: "DOCUMENT_TOO_LARGE")
  /// The document has more tokens than are read.
  package static let tooManyTokens = ErrorCode(rawValue: "TOO_MANY_TOKENS")
  /// Selection sets, values or types lie deeper in one another than is followed.
  package static let nestingTooDeep = ErrorCode(rawValue: "NESTING_TOO_DEEP")
  /// The document is GraphQL but not valid against the schema.
  package static let validationFailed = ErrorCode(rawValue: "GRAPHQL_VALIDATION_FAILED")
  /// A variable or argument is not of its type.
  package static let badUserInput = ErrorCode(rawValue: "BAD_USER_INPUT")
  /// The request names no operation, or not one that is there.
  package static let operationResolutionFailed = ErrorCode(rawValue: "OPERATION_RESOLUTION_FAILURE")
  /// Further errors were found and left out of the response.
  package static let errorsOmitted = ErrorCode(rawValue: "ERRORS_OMITTED")
  /// A mutation's client ended its connection before all of its root fields were started.
  package static let requestCancelled = ErrorCode(rawValue: "REQUEST_CANCELLED")
  /// Something went wrong that is not the caller's doing. What it was is in the log, never in the answer.
  package static let internalError = ErrorCode(rawValue: "INTERNAL_SERVER_ERROR")
}
