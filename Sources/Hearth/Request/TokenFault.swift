import GraphQL
import GraphQLTransport

/// Why a request is not authenticated.
enum TokenFault: Sendable {
  case missing, malformed, expired, revoked
  /// There is an `Authorization`, of another form than that of a token.
  case unknownForm
  /// The session could not be read.
  case unchecked(FieldError)

  var error: FieldError {
    switch self {
    case .missing:
      FieldError(
        "The request is not authenticated: send an access token in the header Authorization, "
          + "or in a WebSocket as Authorization in the payload of connection_init.",
        code: .unauthenticated
      )
    // A close frame has room for 123 bytes, of which the code takes 17.
    case .unknownForm:
      FieldError("Authorization must be `Bearer`, a space and an access token.", code: .tokenMalformed)
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
