import GraphQL

/// Why connections that stand for a session are closed.
package enum SessionChange: Sendable {
  case ended
  /// It goes on, but what it may see is another's: whoever comes again sees that.
  case rightsChanged

  /// What those who listen are told.
  var error: GraphQLError {
    switch self {
    case .ended: GraphQLError("The session has ended: sign in again.", code: .sessionEnded)
    case .rightsChanged: GraphQLError("What you may see has changed: come again.", code: .rightsChanged)
    }
  }
}

extension ErrorCode {
  static let sessionEnded = ErrorCode(rawValue: "SESSION_ENDED")
  package static let rightsChanged = ErrorCode(rawValue: "RIGHTS_CHANGED")
}
