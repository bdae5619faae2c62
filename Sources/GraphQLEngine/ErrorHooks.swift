extension GraphQLSchema {
  /// States what clients receive for errors that are not a `GraphQLErrorConvertible`, such as those of a database.
  ///
  /// ```swift
  /// schema.clientError { error, context in
  ///   guard let error = error as? DatabaseError, error.isUniqueViolation else { return nil }
  ///   return GraphQLError("There is one of that name already.", code: "CONFLICT")
  /// }
  /// ```
  ///
  /// The last call replaces those before it.
  ///
  /// - Parameter make: Called with an error that a resolver, a sequence of events, or a closure of `directive` or
  ///   `eventContext` has thrown, and with the context. Also called with errors of the engine, such as that of a value
  ///   that does not fit its field. Returns what the client receives. With `nil` the client receives
  ///   `INTERNAL_SERVER_ERROR`, and the error is passed to `onError`.
  public mutating func clientError(_ make: @escaping @Sendable (any Error, Context) -> GraphQLError?) {
    makeClientError = make
  }

  /// Receives the errors that clients do not see, with the context of the request.
  ///
  /// It is called in place of the `onError` of the server's or executor's options. That one still receives the errors
  /// without a context: of the closure that makes contexts, and of routes. The last call replaces those before it.
  ///
  /// - Parameter handle: Called with the error, the coordinate of the field or type where it occurred, such as
  ///   `Book.author`, or `context` for an error of `eventContext`, and the context of the request. A batch that fails
  ///   is one error.
  public mutating func onError(
    _ handle: @escaping @Sendable (_ error: any Error, _ field: String, _ context: Context) -> Void
  ) {
    handleError = handle
  }

  /// Nil if the application has neither of them.
  package var errorHooks: ErrorHooks<Context>? {
    makeClientError == nil && handleError == nil ? nil : ErrorHooks(show: makeClientError, handle: handleError)
  }
}

/// What an application does with the errors of requests whose context is known. A class, so that the context of a
/// request retains one object, or none if the application does nothing.
package final class ErrorHooks<Context: Sendable>: Sendable {
  private let show: (@Sendable (any Error, Context) -> GraphQLError?)?
  private let handle: (@Sendable (any Error, String, Context) -> Void)?

  init(
    show: (@Sendable (any Error, Context) -> GraphQLError?)?,
    handle: (@Sendable (any Error, String, Context) -> Void)?
  ) {
    self.show = show
    self.handle = handle
  }

  /// The error that clients receive for an error that does not state one; nil if they must not see it.
  func clientError(for error: any Error, in context: Context) -> GraphQLError? { show?(error, context) }

  /// - Parameter onError: Called if the application has no handler with a context.
  func report(_ error: any Error, at field: String, in context: Context, _ onError: ErrorHandler) {
    if let handle { handle(error, field, context) } else { onError(error, field) }
  }
}

extension GraphQLError {
  /// Creates the error that clients receive for an error of a request; nil if they must not see it.
  init?<Context>(showing error: any Error, in context: Context, _ hooks: ErrorHooks<Context>?) {
    guard let known = GraphQLError(showing: error) ?? hooks?.clientError(for: error, in: context) else { return nil }
    self = known
  }
}
