/// An error in the input of a mutation, reported to the client in the payload.
struct UserError: Hashable, Sendable {
  enum Code: String, Sendable {
    case blank = "BLANK"
    case invalid = "INVALID"
    case tooShort = "TOO_SHORT"
    case tooLong = "TOO_LONG"
    case tooCommon = "TOO_COMMON"
    case outOfRange = "OUT_OF_RANGE"
    case taken = "TAKEN"
    case mismatch = "MISMATCH"
    case notFound = "NOT_FOUND"
    case notAllowed = "NOT_ALLOWED"
    case expired = "EXPIRED"
    case unsupportedMedia = "UNSUPPORTED_MEDIA"
    case tooLarge = "TOO_LARGE"
    case conflict = "CONFLICT"
    case wrongCredentials = "WRONG_CREDENTIALS"
    case deactivated = "DEACTIVATED"
    case invitationRequired = "INVITATION_REQUIRED"
  }

  let field: [String]
  let code: Code
  var reason: Reason?
  let message: Message

  /// The same error for another field.
  func at(_ field: [String]) -> UserError {
    UserError(field: field, code: code, reason: reason, message: message)
  }
}

/// Thrown to report errors of the input. From within a write transaction it rolls that back, and reports errors that
/// only the transaction can detect.
struct RejectedInput: Error {
  let errors: [UserError]
  init(_ errors: [UserError]) { self.errors = errors }
  init(_ field: [String], code: UserError.Code, reason: UserError.Reason? = nil, message: UserError.Message) {
    errors = [UserError(field: field, code: code, reason: reason, message: message)]
  }
}
