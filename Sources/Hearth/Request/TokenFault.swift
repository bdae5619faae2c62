import GraphQL
import GraphQLTransport

/// Why a request is not authenticated.
enum TokenFault: Sendable {
  case missing, malformed, expired, revoked
  /// The session could not be read.
  case unchecked(FieldError)

  var error: FieldError {
    switch self {
    case .missing: FieldError("The request is not authenticated: send an access token.", code: .unauthenticated)
    case .malformed: FieldError("The access token is not valid.", code: .tokenMalformed)
    case .expired: FieldError("The access token has expired: refresh the session.", code: .tokenExpired)
    case .revoked: FieldError("The session of this access token has ended: sign in again.", code: .tokenRevoked)
    case .unchecked(let error): error
    }
  }
}

extension ErrorCode {
  static let tokenMalformed = ErrorCode(rawValue: "TOKEN_MALFORMED")
  static let tokenRevoked = ErrorCode(rawValue: "TOKEN_REVOKED")
}
