/// A status code (RFC 9110, section 15).
package struct HTTPStatus: Sendable, Hashable {
  package let code: UInt16

  /// `code` must be of three digits.
  package init(_ code: UInt16) {
    precondition((100...999).contains(code))
    self.code = code
  }

  package static let ok = Self(200)
  package static let accepted = Self(202)
  package static let noContent = Self(204)
  package static let partialContent = Self(206)
  /// Data with errors. Not an IANA code: the GraphQL over HTTP specification defines it.
  package static let partialSuccess = Self(294)
  package static let found = Self(302)
  package static let notModified = Self(304)
  package static let badRequest = Self(400)
  package static let unauthorized = Self(401)
  package static let forbidden = Self(403)
  package static let notFound = Self(404)
  package static let methodNotAllowed = Self(405)
  package static let notAcceptable = Self(406)
  package static let requestTimeout = Self(408)
  package static let preconditionFailed = Self(412)
  package static let contentTooLarge = Self(413)
  package static let uriTooLong = Self(414)
  package static let unsupportedMediaType = Self(415)
  package static let rangeNotSatisfiable = Self(416)
  package static let expectationFailed = Self(417)
  package static let unprocessableContent = Self(422)
  package static let upgradeRequired = Self(426)
  package static let tooManyRequests = Self(429)
  package static let requestHeaderFieldsTooLarge = Self(431)
  package static let internalServerError = Self(500)
  package static let notImplemented = Self(501)
  package static let serviceUnavailable = Self(503)
  package static let httpVersionNotSupported = Self(505)

  /// RFC 9110, section 15.3.
  package var isSuccessful: Bool { (200..<300).contains(code) }

  /// Whether a response with this status can have a body (RFC 9110, section 6.4.1).
  package var allowsBody: Bool { code >= 200 && code != 204 && code != 304 }

  /// The reason phrase; empty for a code that is not listed here.
  package var reasonPhrase: StaticString {
    switch code {
    case 200: "OK"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 294: "Partial Success"
    case 302: "Found"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: ""
    }
  }
}
