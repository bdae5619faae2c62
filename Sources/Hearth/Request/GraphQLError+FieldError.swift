import GraphQL

extension GraphQLError {
  /// An error of the request as a whole, with the message and the code of a field's.
  init(ofRequest error: FieldError) {
    self.init(error.message, code: error.code, retryAfter: error.retryAfter)
  }
}
