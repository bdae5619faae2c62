import GraphQL

/// The reasons why an operation is not run.
extension GraphQLErrors {
  /// Whether they are errors of coercing variables. Without variables, that is a request to validate a document alone.
  var areMissingVariables: Bool { errors.allSatisfy { $0.code == .badUserInput } }

  static func throttled(retryAfter seconds: Int) -> GraphQLErrors {
    GraphQLErrors([
      GraphQLError(
        "Your requests take long, and too many of them are waiting. Try again in \(seconds) s.",
        code: .rateLimited,
        retryAfter: Int64(seconds)
      )
    ])
  }

  static func badRequest(_ message: String) -> GraphQLErrors {
    GraphQLErrors([GraphQLError(message, code: .badRequest)])
  }

  static let readOnly = GraphQLErrors([
    GraphQLError(
      "The server is read-only at the moment: queries work, and nothing can be changed. Try again later.",
      code: .readOnly
    )
  ])

  static let notByHTTP = GraphQLErrors([
    GraphQLError(
      "A subscription requires a WebSocket (graphql-transport-ws) or the header `Accept: text/event-stream`.",
      code: .notAcceptable
    )
  ])
}

extension ErrorCode {
  /// The caller has sent too much: the error states when to try again (`GraphQLError.retryAfter`).
  package static let rateLimited = ErrorCode(rawValue: "RATE_LIMITED")
  static let readOnly = ErrorCode(rawValue: "READ_ONLY")
}
