/// Why an input was refused, as clients see it.
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
  let message: String

  /// The same error, where the field is one of the input object `name`.
  func within(_ name: String) -> UserError { UserError(field: [name] + field, code: code, message: message) }
}

/// Thrown out of a write to undo it: what was found wrong only there.
struct Refused: Error {
  let errors: [UserError]
  init(_ errors: [UserError]) { self.errors = errors }
  init(_ field: [String], _ code: UserError.Code, _ message: String) {
    errors = [UserError(field: field, code: code, message: message)]
  }
}
