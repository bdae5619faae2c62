/// An error in a response (specification, section 7.1.2).
package struct GraphQLError: Error, Hashable, Sendable {
  package var message: String
  package var locations: [SourceLocation]
  package var path: [PathSegment]
  /// The machine-readable counterpart of `message`, sent as `extensions.code`.
  package var code: ErrorCode
  /// The message that a client receives for every internal error.
  package static let internalErrorMessage = "Something went wrong on our side."
  package static let internalError = GraphQLError(internalErrorMessage, code: .internalError)

  /// The number of seconds after which a retry may succeed, sent as `extensions.retryAfter`.
  package var retryAfter: Int64?

  /// The path of an invalid value in the variables, which begins with the variable. Sent as `extensions.path`, so that
  /// a form can mark the field.
  package var inputPath: [PathSegment] = []

  /// Further members of `extensions` as JSON, each after a comma.
  package var extensionMembers: String

  package init(
    _ message: String,
    at locations: [SourceLocation] = [],
    path: [PathSegment] = [],
    code: ErrorCode,
    retryAfter: Int64? = nil,
    extensionMembers: String = ""
  ) {
    self.message = message
    self.locations = locations
    self.path = path
    self.code = code
    self.retryAfter = retryAfter
    self.extensionMembers = extensionMembers
  }
}

/// A segment of a response path: a response key, or an index in a list.
package enum PathSegment: Hashable, Sendable {
  case key(String)
  case index(Int)
}

/// A stable error code. The meaning of a released code never changes.
package struct ErrorCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The document is not syntactically correct.
  package static let parseFailed = ErrorCode(rawValue: "GRAPHQL_PARSE_FAILED")
  /// The document has too many bytes.
  package static let documentTooLarge = ErrorCode(rawValue: "DOCUMENT_TOO_LARGE")
  /// The document has too many tokens.
  package static let tooManyTokens = ErrorCode(rawValue: "TOO_MANY_TOKENS")
  /// Selection sets, values or types are nested too deeply.
  package static let nestingTooDeep = ErrorCode(rawValue: "NESTING_TOO_DEEP")
  /// The document is syntactically correct, but not valid against the schema.
  package static let validationFailed = ErrorCode(rawValue: "GRAPHQL_VALIDATION_FAILED")
  /// A variable or argument cannot be coerced to its type.
  package static let badUserInput = ErrorCode(rawValue: "BAD_USER_INPUT")
  /// The request does not identify an operation in its document.
  package static let operationResolutionFailed = ErrorCode(rawValue: "OPERATION_RESOLUTION_FAILURE")
  /// Further errors occurred and are omitted from the response.
  package static let errorsOmitted = ErrorCode(rawValue: "ERRORS_OMITTED")
  /// The client disconnected, or stopped the operation, before the request was executed or all root fields of its
  /// mutation were started.
  package static let requestCancelled = ErrorCode(rawValue: "REQUEST_CANCELLED")
  /// An internal error, not caused by the client. The cause is logged and never sent.
  package static let internalError = ErrorCode(rawValue: "INTERNAL_SERVER_ERROR")
}
