import Bytes
import GraphQL
import HTTP

/// Answers to requests that are not GraphQL over HTTP: still in the form of GraphQL's errors, so that a client has one
/// way to read them.
enum Refusal {
  static var notAcceptable: HTTPResponse {
    HTTPResponse(
      .notAcceptable,
      headers: ResponseFormat.json.headers,
      body: body("Answers are application/graphql-response+json or application/json.", .notAcceptable)
    )
  }

  static func unsupportedMediaType(_ format: ResponseFormat) -> HTTPResponse {
    HTTPResponse(
      .unsupportedMediaType,
      headers: format.headers,
      body: body(
        "A request's body must be application/json, in UTF-8 and not compressed, or multipart/form-data where it has files.",
        .unsupportedMediaType
      )
    )
  }

  static func badRequest(_ message: String, _ format: ResponseFormat) -> HTTPResponse {
    HTTPResponse(.badRequest, headers: format.headers, body: body(message))
  }

  static func noPreflightHeader(_ format: ResponseFormat) -> HTTPResponse {
    HTTPResponse(
      .badRequest,
      headers: format.headers,
      body: body(
        "A multipart request must have a header that a form of another site cannot send: GraphQL-Require-Preflight, "
          + "with any value.",
        .preflightRequired
      )
    )
  }

  static func signedInOnly(_ format: ResponseFormat) -> HTTPResponse {
    HTTPResponse(
      .unauthorized,
      headers: format.headers.adding(fixed: "WWW-Authenticate", "Bearer"),
      body: body("Files of this size require a valid access token.", .unauthenticated)
    )
  }

  /// `fault` says why the access token of the request is not valid: a client that refreshes it can send the request
  /// again.
  static func bodyTooLong(limit: Int, _ fault: GraphQLError?, _ format: ResponseFormat) -> HTTPResponse {
    let tooLong = GraphQLError(
      "A body of more than \(limit) bytes requires a valid access token.",
      code: ErrorCode(rawValue: "BODY_TOO_LONG")
    )
    return HTTPResponse(
      .contentTooLarge,
      headers: format.headers,
      body: ErrorResponse.bytes([tooLong] + (fault.map { [$0] } ?? []))
    )
  }

  /// A request that was not executed.
  static func notExecuted(_ failure: OperationFailure, _ format: ResponseFormat) -> HTTPResponse {
    let (status, headers): (HTTPStatus, HeaderBlock)
    switch failure {
    case .refused(let refused): (status, headers) = (self.status(of: refused, format), format.headers)
    case .mutationByGet:
      (status, headers) = (.methodNotAllowed, format.headers.adding(fixed: "Allow", "POST"))
    case .overloaded: (status, headers) = (.serviceUnavailable, format.headers)
    case .internalError: (status, headers) = (.internalServerError, format.headers)
    }
    return HTTPResponse(status, headers: headers, body: ErrorResponse.bytes(failure.errors))
  }

  private static func status(of refused: GraphQLErrors, _ format: ResponseFormat) -> HTTPStatus {
    switch refused.errors.first?.code {
    // The variables are malformed as JSON, which is said as it is of the rest of the body.
    case .badRequest: .badRequest
    // Clients of Apollo's protocol look for this in answers that are not failures of HTTP.
    case .persistedQueryNotFound: .ok
    default: format.refusalStatus
    }
  }

  /// A WebSocket that a page of another site opens, or one of a host that is not known to be this server.
  /// - Parameter settings: The names of the settings that allow an origin.
  static func originNotAllowed(_ settings: String) -> HTTPResponse {
    HTTPResponse(
      .forbidden,
      headers: ResponseFormat.json.headers,
      body: body(
        "Pages of this origin may not open a WebSocket here: see \(settings).",
        ErrorCode(rawValue: "ORIGIN_NOT_ALLOWED")
      )
    )
  }

  /// More connections than a limit of the service allows.
  static func tooManyRequests(_ error: GraphQLError) -> HTTPResponse {
    let headers = ResponseFormat.json.headers
    return HTTPResponse(
      .tooManyRequests,
      headers: error.retryAfter.flatMap { try? headers.adding("Retry-After", "\($0)") } ?? headers,
      body: ErrorResponse.bytes([error])
    )
  }

  /// GET without a query, by a client that asks for no page.
  static func noQuery(_ request: HTTPRequest) -> HTTPResponse {
    guard let format = ResponseFormat.preferred(by: request) else { return notAcceptable }
    return HTTPResponse(
      .badRequest,
      // A cache must not give the page to a program, nor this to a browser.
      headers: format.headers.adding(fixed: "Vary", "Accept"),
      body: body("The request has no `query`.")
    )
  }

  /// Where nothing is to be read.
  static var onlyPost: HTTPResponse {
    HTTPResponse(
      .methodNotAllowed,
      headers: ResponseFormat.json.headers.adding(fixed: "Allow", "POST"),
      body: body("Only POST is answered here.", .methodNotAllowed)
    )
  }

  static let endpointMethods = "GET, HEAD, POST, OPTIONS"

  static var methods: HTTPResponse {
    HTTPResponse(.noContent, headers: HeaderBlock(fixed: ["Allow": endpointMethods]))
  }

  static func unknownMethod(_ method: String) -> HTTPResponse {
    HTTPResponse(
      .methodNotAllowed,
      headers: ResponseFormat.json.headers.adding(fixed: "Allow", endpointMethods),
      body: body("\(method) is not GET or POST.", .methodNotAllowed)
    )
  }

  /// At any path but the endpoint's.
  static var readOnly: HTTPResponse {
    HTTPResponse.text(.methodNotAllowed, "This can only be read: use GET.\n", allow: "GET, HEAD")
  }

  static func body(_ message: String, _ code: ErrorCode = .badRequest) -> ByteBuffer {
    ErrorResponse.bytes([GraphQLError(message, code: code)])
  }
}

extension ErrorCode {
  static let notAcceptable = ErrorCode(rawValue: "NOT_ACCEPTABLE")
  static let unsupportedMediaType = ErrorCode(rawValue: "UNSUPPORTED_MEDIA_TYPE")
  static let preflightRequired = ErrorCode(rawValue: "PREFLIGHT_REQUIRED")
  package static let unauthenticated = ErrorCode(rawValue: "UNAUTHENTICATED")
  static let methodNotAllowed = ErrorCode(rawValue: "METHOD_NOT_ALLOWED")
}

extension HTTPResponse {
  /// Plain text, for people with a terminal.
  package static func text(_ status: HTTPStatus, _ text: String, allow: String? = nil) -> HTTPResponse {
    var body = ByteBuffer(capacity: text.utf8.count)
    body.append(text)
    return HTTPResponse(status, headers: allow.map { plainText.adding(fixed: "Allow", $0) } ?? plainText, body: body)
  }

  /// 302 Found (RFC 9110, section 15.4.3).
  static func redirect(to path: String) -> HTTPResponse {
    HTTPResponse(.found, headers: HeaderBlock(fixed: ["Location": path, "Vary": "Accept"]))
  }

  private static var plainText: HeaderBlock {
    HeaderBlock(fixed: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"])
  }
}

extension HeaderBlock {
  package func adding(fixed name: String, _ value: String) -> HeaderBlock {
    do {
      return try adding(name, value)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
