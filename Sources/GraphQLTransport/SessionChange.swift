import GraphQL

/// Why the connections of a session are closed.
package enum SessionChange: Sendable {
  case ended
  /// The session continues with other rights. Clients that reconnect see the data they are now allowed to see.
  case rightsChanged
  /// The access tokens were revoked. The session continues, and clients renew their tokens.
  case tokensRevoked

  /// The error that clients receive.
  var error: GraphQLError {
    switch self {
    case .ended: GraphQLError("The session has ended: sign in again.", code: .sessionEnded)
    case .rightsChanged: GraphQLError("Your rights have changed: reconnect.", code: .rightsChanged)
    case .tokensRevoked: GraphQLError("The access token has expired: refresh the session.", code: .tokenExpired)
    }
  }
}

extension ErrorCode {
  static let sessionEnded = ErrorCode(rawValue: "SESSION_ENDED")
  package static let rightsChanged = ErrorCode(rawValue: "RIGHTS_CHANGED")
}
