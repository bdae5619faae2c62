/// Why a request is rejected while it is parsed. The framing of the bytes that follow cannot be trusted, so the
/// connection is closed after the response.
package struct HTTPFailure: Error, Sendable, Equatable {
  package let reason: Reason
  /// The line of the head with the error, the request line being 1; nil if the error is after the head.
  package let line: Int?
  /// The exceeded limit, if any: in bytes or, for `tooManyHeaders`, in lines.
  package let limit: Int?

  package init(_ reason: Reason, line: Int? = nil, limit: Int? = nil) {
    self.reason = reason
    self.line = line
    self.limit = limit
  }

  /// The stable code, for clients and logs.
  package var code: String { reason.rawValue }

  package var status: HTTPStatus {
    switch reason {
    case .requestLineTooLong: .uriTooLong
    case .headersTooLong, .tooManyHeaders: .requestHeaderFieldsTooLarge
    case .bodyTooLong: .contentTooLarge
    case .unsupportedVersion: .httpVersionNotSupported
    case .unknownExpectation: .expectationFailed
    case .unknownTransferCoding: .notImplemented
    default: .badRequest
    }
  }

  /// A sentence for the person who sent the request.
  package var message: String {
    var message = sentence.description
    if let limit { message += " The limit is \(limit)." }
    if let line { message += " (Line \(line) of the request's head.)" }
    return message
  }

  package enum Reason: String, Sendable, CaseIterable {
    case notHTTP = "NOT_HTTP"
    case bareLineFeed = "BARE_LINE_FEED"
    case bareCarriageReturn = "BARE_CARRIAGE_RETURN"
    case malformedRequestLine = "MALFORMED_REQUEST_LINE"
    case invalidMethod = "INVALID_METHOD"
    case invalidTarget = "INVALID_TARGET"
    case unsupportedVersion = "UNSUPPORTED_VERSION"
    case requestLineTooLong = "REQUEST_LINE_TOO_LONG"
    case whitespaceBeforeHeaders = "WHITESPACE_BEFORE_HEADERS"
    case foldedHeader = "FOLDED_HEADER"
    case missingColon = "HEADER_WITHOUT_COLON"
    case invalidHeaderName = "INVALID_HEADER_NAME"
    case whitespaceBeforeColon = "WHITESPACE_BEFORE_COLON"
    case invalidHeaderValue = "INVALID_HEADER_VALUE"
    case headersTooLong = "HEADERS_TOO_LONG"
    case tooManyHeaders = "TOO_MANY_HEADERS"
    case missingHost = "MISSING_HOST"
    case repeatedHost = "REPEATED_HOST"
    case invalidHost = "INVALID_HOST"
    case invalidContentLength = "INVALID_CONTENT_LENGTH"
    case repeatedContentLength = "REPEATED_CONTENT_LENGTH"
    case contentLengthWithTransferEncoding = "CONTENT_LENGTH_WITH_TRANSFER_ENCODING"
    case unsupportedTransferEncoding = "UNSUPPORTED_TRANSFER_ENCODING"
    case unknownTransferCoding = "UNKNOWN_TRANSFER_CODING"
    case transferEncodingInHTTP10 = "TRANSFER_ENCODING_IN_HTTP_1_0"
    case unknownExpectation = "UNKNOWN_EXPECTATION"
    case bodyTooLong = "BODY_TOO_LONG"
    case invalidChunkSize = "INVALID_CHUNK_SIZE"
    case invalidChunkExtension = "INVALID_CHUNK_EXTENSION"
    case chunkExtensionsTooLong = "CHUNK_EXTENSIONS_TOO_LONG"
    case invalidChunkEnd = "INVALID_CHUNK_END"
  }

  private var sentence: StaticString {
    switch reason {
    case .notHTTP: "The bytes received do not begin with an HTTP request. If this was HTTPS, use http:// on this port."
    case .bareLineFeed: "A line ends with LF alone; lines end with CR LF."
    case .bareCarriageReturn: "A CR is not followed by an LF."
    case .malformedRequestLine: "The request line must be a method, a target and HTTP/1.1, with one space between."
    case .invalidMethod: "The method contains an invalid character."
    case .invalidTarget:
      "The request target is not valid; characters that are not allowed in URIs must be percent-encoded."
    case .unsupportedVersion: "This server supports HTTP/1.1 and HTTP/1.0 only."
    case .requestLineTooLong: "The request line has too many bytes. Send a long query in the body of a POST."
    case .whitespaceBeforeHeaders: "The first header line begins with whitespace."
    case .foldedHeader: "A header line begins with whitespace; folded headers are not supported."
    case .missingColon: "A header line has no colon."
    case .invalidHeaderName: "A header name is empty or contains an invalid character."
    case .whitespaceBeforeColon: "There is whitespace between a header name and its colon."
    case .invalidHeaderValue: "A header value contains a control character."
    case .headersTooLong: "The header lines have too many bytes."
    case .tooManyHeaders: "There are too many header lines."
    case .missingHost: "The Host header is missing; HTTP/1.1 requires it."
    case .repeatedHost: "The Host header occurs more than once."
    case .invalidHost: "The Host header is not a host name or address with an optional port."
    case .invalidContentLength: "Content-Length is not a number of bytes in decimal digits."
    case .repeatedContentLength: "The Content-Length header occurs more than once."
    case .contentLengthWithTransferEncoding:
      "The request has both Content-Length and Transfer-Encoding; send one of them."
    case .unsupportedTransferEncoding: "The only supported Transfer-Encoding is a single 'chunked'."
    case .unknownTransferCoding: "The body has a transfer coding before 'chunked', which is not supported."
    case .transferEncodingInHTTP10: "HTTP/1.0 does not support Transfer-Encoding."
    case .unknownExpectation: "The only supported expectation is '100-continue'."
    case .bodyTooLong: "The body has too many bytes."
    case .invalidChunkSize: "The size of a chunk is not a hexadecimal number."
    case .invalidChunkExtension: "A chunk extension is not well-formed: it has the form ;name or ;name=value."
    case .chunkExtensionsTooLong: "The chunk extensions of the body have too many bytes."
    case .invalidChunkEnd: "A chunk does not end with CR LF after the declared number of bytes."
    }
  }
}
