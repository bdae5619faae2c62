/// A field error that the client receives, and the part of the field to which its locations refer.
struct FieldFailure {
  let error: FieldError
  var origin = FailureOrigin.field

  init(_ error: FieldError) { self.error = error }

  /// The arguments of the field cannot be coerced.
  init(_ error: ArgumentError) {
    self.error = FieldError(error.message, code: .badUserInput)
    origin = error.origin
  }
}
