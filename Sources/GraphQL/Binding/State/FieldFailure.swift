/// The content of a field error that the client receives.
struct FieldFailure {
  let message: String
  let code: ErrorCode
  var origin = FailureOrigin.field
  var retryAfter: Int64?
  var extensionMembers = ""
}

extension FieldFailure {
  init(_ error: FieldError) {
    self.init(
      message: error.message,
      code: error.code,
      retryAfter: error.retryAfter,
      extensionMembers: error.extensionMembers
    )
  }
}
