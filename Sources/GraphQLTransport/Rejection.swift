import Bytes
import GraphQL
import HTTP

/// HTTP responses to requests that are rejected before execution. They contain GraphQL errors, so that clients need
/// only one format.
enum Rejection {
  /// The client accepts none of the media types of the response to an operation.
  static var notAcceptable: HTTPResponse {
    acceptsNone(of: "application/graphql-response+json, application/json, multipart/mixed or text/event-stream")
  }

  /// The same for a response that is neither delivered in parts nor as an event stream.
  static var jsonNotAcceptable: HTTPResponse {
    acceptsNone(of: "application/graphql-response+json or application/json")
  }

  private static func acceptsNone(of types: String) -> HTTPResponse {
    HTTPResponse(
      .notAcceptable,
      headers: ResponseFormat.json.headers,
      body: body("Responses are available as \(types).", code: .notAcceptable)
    )
  }

  static func unsupportedMediaType(in format: ResponseFormat) -> HTTPResponse {
    HTTPResponse(
      .unsupportedMediaType,
      headers: format.headers,
      body: body(
        "The body of a request must be uncompressed application/json in UTF-8, or multipart/form-data if it has files.",
        code: .unsupportedMediaType
      )
    )
  }

  /// A request whose text cannot be read, or that is not a GraphQL request.
  static func badRequest(_ error: BadRequestError, in format: ResponseFormat) -> HTTPResponse {
    let isMalformedRequest = format == .response && !error.isMalformedText
    return HTTPResponse(
      isMalformedRequest ? .unprocessableContent : .badRequest,
      headers: format.headers,
      body: body(error.message)
    )
  }

  static func noPreflightHeader(in format: ResponseFormat) -> HTTPResponse {
    HTTPResponse(
      .badRequest,
      headers: format.headers,
      body: body(
        "A multipart request requires a header that a form of another origin cannot send: GraphQL-Require-Preflight, "
          + "with any value.",
        code: .preflightRequired
      )
    )
  }

  /// A long body with files. `tokenError` is that of `bodyTooLong`.
  static func signedInOnly(tokenError: GraphQLError?, in format: ResponseFormat) -> HTTPResponse {
    let signedInOnly = GraphQLError("Files of this size require a valid access token.", code: .unauthenticated)
    return HTTPResponse(
      .unauthorized,
      headers: format.headers.adding(trusted: "WWW-Authenticate", "Bearer"),
      body: ErrorResponse.bytes([signedInOnly] + (tokenError.map { [$0] } ?? []))
    )
  }

  /// The schema is only for callers who may use introspection.
  static var schemaNotAllowed: HTTPResponse {
    HTTPResponse(
      .unauthorized,
      headers: ResponseFormat.json.headers.adding(trusted: "WWW-Authenticate", "Bearer"),
      body: body("The schema of this server requires a valid access token.", code: .unauthenticated)
    )
  }

  /// `tokenError` says why the access token of the request is not valid: a client that refreshes the token can retry.
  static func bodyTooLong(limit: Int, tokenError: GraphQLError?, in format: ResponseFormat) -> HTTPResponse {
    let message = "A body of more than \(limit) bytes requires a valid access token."
    return bodyTooLong(message, tokenError: tokenError, in: format)
  }

  /// Rejects a body that is too long for everybody.
  static func bodyTooLong(_ failure: HTTPFailure, in format: ResponseFormat) -> HTTPResponse {
    bodyTooLong(failure.message, tokenError: nil, in: format)
  }

  private static func bodyTooLong(
    _ message: String,
    tokenError: GraphQLError?,
    in format: ResponseFormat
  ) -> HTTPResponse {
    let tooLong = GraphQLError(message, code: .bodyTooLong)
    return HTTPResponse(
      .contentTooLarge,
      headers: format.headers,
      body: ErrorResponse.bytes([tooLong] + (tokenError.map { [$0] } ?? []))
    )
  }

  /// The response to a request that was not executed.
  static func notExecuted(_ failure: OperationFailure, in format: ResponseFormat) -> HTTPResponse {
    let (status, headers): (HTTPStatus, HeaderBlock)
    switch failure {
    case .rejected(let rejected): (status, headers) = (self.status(of: rejected, in: format), format.headers)
    case .callerRejected(let error):
      status = format.status(ofRejectedCaller: error.code)
      // RFC 9110, section 15.5.2, requires the challenge.
      headers =
        status == .unauthorized ? format.headers.adding(trusted: "WWW-Authenticate", "Bearer") : format.headers
    case .mutationByGet:
      (status, headers) = (.methodNotAllowed, format.headers.adding(trusted: "Allow", "POST"))
    case .unavailable, .cancelled: (status, headers) = (.serviceUnavailable, format.headers)
    case .internalError: (status, headers) = (.internalServerError, format.headers)
    }
    return HTTPResponse(
      status,
      headers: failure.statesRetryAfter(with: status) ? headers.addingRetryAfter(of: failure.errors.first) : headers,
      body: ErrorResponse.bytes(failure.errors)
    )
  }

  private static func status(of rejected: GraphQLErrors, in format: ResponseFormat) -> HTTPStatus {
    switch rejected.errors.first?.code {
    // Variables that are not valid JSON are reported like the rest of the body.
    case .badRequest: format == .response ? .unprocessableContent : .badRequest
    // Apollo iOS accepts the newer media type too, but only reads the errors of responses with a status of 2xx.
    case .persistedQueryNotFound where rejected.errors == GraphQLErrors.persistedQueryNotFound.errors: .ok
    case let code: format.status(of: code)
    }
  }

  /// Rejects a WebSocket opened by a page of another origin, or with a Host that is not known to be this server.
  /// - Parameter settings: The names of the settings that allow an origin.
  static func originNotAllowed(_ settings: String) -> HTTPResponse {
    HTTPResponse(
      .forbidden,
      headers: ResponseFormat.json.headers,
      body: body("Pages of this origin cannot open a WebSocket: see \(settings).", code: .originNotAllowed)
    )
  }

  /// The client has more connections than the service allows.
  static func tooManyRequests(_ error: GraphQLError) -> HTTPResponse {
    HTTPResponse(
      .tooManyRequests,
      headers: ResponseFormat.json.headers.addingRetryAfter(of: error),
      body: ErrorResponse.bytes([error])
    )
  }

  /// A GET without a query, from a client that does not prefer HTML.
  static func noQuery(_ request: HTTPRequest) -> HTTPResponse {
    guard let format = ResponseFormat.preferred(by: request) else { return jsonNotAcceptable }
    return HTTPResponse(
      format == .response ? .unprocessableContent : .badRequest,
      // A cache must not send the page to an API client, or this response to a browser.
      headers: format.headers.adding(trusted: "Vary", "Accept"),
      body: body("The request has no `query`.")
    )
  }

  /// For paths that only accept POST.
  static var onlyPost: HTTPResponse {
    HTTPResponse(
      .methodNotAllowed,
      headers: ResponseFormat.json.headers.adding(trusted: "Allow", "POST"),
      body: body("This path accepts POST only.", code: .methodNotAllowed)
    )
  }

  static let endpointMethods = "GET, HEAD, POST, OPTIONS"

  static var methods: HTTPResponse {
    HTTPResponse(.noContent, headers: HeaderBlock(trusted: ["Allow": endpointMethods]))
  }

  static func unknownMethod(_ request: HTTPRequest) -> HTTPResponse {
    HTTPResponse(
      .methodNotAllowed,
      headers: (ResponseFormat.preferred(by: request) ?? .json).headers.adding(trusted: "Allow", endpointMethods),
      body: body("\(request.methodText) is not GET or POST.", code: .methodNotAllowed)
    )
  }

  /// For paths without a resource.
  static func notFound(endpoint: String) -> HTTPResponse {
    HTTPResponse.text(.notFound, text: "Not found. The GraphQL endpoint is \(endpoint).\n")
  }

  /// For all paths other than the endpoint.
  static var onlyGet: HTTPResponse {
    HTTPResponse.text(.methodNotAllowed, text: "This path is read-only: use GET.\n", allow: "GET, HEAD")
  }

  static func body(_ message: String, code: ErrorCode = .badRequest) -> ByteBuffer {
    ErrorResponse.bytes([GraphQLError(message, code: code)])
  }
}

extension ErrorCode {
  static let notAcceptable = ErrorCode(rawValue: "NOT_ACCEPTABLE")
  static let unsupportedMediaType = ErrorCode(rawValue: "UNSUPPORTED_MEDIA_TYPE")
  static let preflightRequired = ErrorCode(rawValue: "PREFLIGHT_REQUIRED")
  package static let unauthenticated = ErrorCode(rawValue: "UNAUTHENTICATED")
  static let methodNotAllowed = ErrorCode(rawValue: "METHOD_NOT_ALLOWED")
  /// As `HTTPFailure.Reason.bodyTooLong`.
  static let bodyTooLong = ErrorCode(rawValue: "BODY_TOO_LONG")
  static let originNotAllowed = ErrorCode(rawValue: "ORIGIN_NOT_ALLOWED")
}

extension OperationFailure {
  /// Whether the time after which the client can try again is a header of the response too, if the error states it.
  fileprivate func statesRetryAfter(with status: HTTPStatus) -> Bool {
    switch self {
    case .callerRejected: !status.isSuccessful
    case .unavailable: true
    case .rejected, .mutationByGet, .cancelled, .internalError: status == .tooManyRequests
    }
  }
}

extension HeaderBlock {
  /// Adds when the client can try again (RFC 9110, section 10.2.3), if the error states it.
  fileprivate func addingRetryAfter(of error: GraphQLError?) -> HeaderBlock {
    guard let seconds = error?.retryAfter else { return self }
    return adding(trusted: "Retry-After", "\(seconds)")
  }
}
