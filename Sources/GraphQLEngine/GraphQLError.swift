import GraphQL

/// An error that the client receives.
///
/// Throw it from a resolver. Its message becomes the `message` of a field error, and its code the error's
/// `extensions.code`, which programs can rely on:
///
/// ```swift
/// guard let book = await request.context.library.book(id) else {
///   throw GraphQLError("There is no such book.", code: "BOOK_NOT_FOUND")
/// }
/// ```
///
/// Every other error that a resolver throws, unless it is a ``GraphQLErrorConvertible`` or the schema's `clientError`
/// states one for it, stays on the server: it is reported to `onError`, and the client receives
/// `INTERNAL_SERVER_ERROR`.
public struct GraphQLError: Error, Hashable, Sendable {
  /// A sentence for humans.
  public var message: String

  /// A stable identifier for programs.
  public var code: String

  /// The number of seconds after which the client may try again, or `nil`. Sent as `extensions.retryAfter`.
  public var retryAfter: Int?

  /// Further members of the error's `extensions`. `code`, `retryAfter` and `path` are those of the engine, and ignored
  /// here.
  public var extensions: [String: GraphQLValue]

  /// Creates an error with a message and a code.
  public init(
    _ message: String,
    code: String,
    retryAfter: Int? = nil,
    extensions: [String: GraphQLValue] = [:]
  ) {
    self.message = message
    self.code = code
    self.retryAfter = retryAfter
    self.extensions = extensions
  }
}

extension GraphQLError {
  var fieldError: FieldError {
    FieldError(
      message,
      code: ErrorCode(rawValue: code),
      retryAfter: retryAfter.map { Int64($0) },
      extensionMembers: GraphQLValue.members(extensions)
    )
  }

  /// The error as a request error.
  package var requestError: GraphQL.GraphQLError { GraphQL.GraphQLError(fieldError) }
}
