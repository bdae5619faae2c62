/// Why a request is refused before anybody looks at what it asks for. The framing of what follows it cannot be trusted:
/// the connection is closed after the answer.
package struct HTTPFailure: Error, Sendable, Equatable {
  package let reason: Reason
  /// The line of the head at fault, the request line being 1; nil when the fault is past the head.
  package let line: Int?
  /// The limit that was passed, if one was: in bytes or, for `tooManyHeaders`, in lines.
  package let limit: Int?

  package init(_ reason: Reason, line: Int? = nil, limit: Int? = nil) {
    self.reason = reason
    self.line = line
    self.limit = limit
  }

  /// Stable: clients and logs may go by it.
  package var code: String { reason.rawValue }

  package var status: HTTPStatus {
    switch reason {
    case .requestLineTooLong: .uriTooLong
    case .headersTooLong, .tooManyHeaders: .requestHeaderFieldsTooLarge
    case .bodyTooLong: .contentTooLarge
    case .unsupportedVersion: .httpVersionNotSupported
    case .unknownExpectation: .expectationFailed
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
    case .notHTTP: "What was sent does not begin like an HTTP request. If this was HTTPS, use http:// on this port."
    case .bareLineFeed: "A line ends with LF alone; lines end with CR LF."
    case .bareCarriageReturn: "A CR stands alone; it may only stand before an LF."
    case .malformedRequestLine: "The request line must be a method, a target and HTTP/1.1, with one space between."
    case .invalidMethod: "The method has a character that a method may not have."
    case .invalidTarget:
      "The request's target is not valid here; characters outside of a URI's must be percent-encoded."
    case .unsupportedVersion: "This server speaks HTTP/1.1 and HTTP/1.0 only."
    case .requestLineTooLong: "The request line has too many bytes. Send a long query in the body of a POST."
    case .whitespaceBeforeHeaders: "The first header line begins with whitespace."
    case .foldedHeader: "A header line begins with whitespace; a header may not be folded over several lines."
    case .missingColon: "A header line has no colon."
    case .invalidHeaderName: "A header's name is empty or has a character that a name may not have."
    case .whitespaceBeforeColon: "There is whitespace between a header's name and its colon."
    case .invalidHeaderValue: "A header's value has a control character."
    case .headersTooLong: "The header lines have too many bytes."
    case .tooManyHeaders: "There are too many header lines."
    case .missingHost: "The Host header is missing; HTTP/1.1 requires it."
    case .repeatedHost: "The Host header is there more than once."
    case .invalidHost: "The Host header is not a host name or address with an optional port."
    case .invalidContentLength: "Content-Length is not a number of bytes in decimal digits."
    case .repeatedContentLength: "The Content-Length header is there more than once."
    case .contentLengthWithTransferEncoding: "Content-Length and Transfer-Encoding are both there; send one of them."
    case .unsupportedTransferEncoding: "The only Transfer-Encoding understood here is one 'chunked'."
    case .transferEncodingInHTTP10: "HTTP/1.0 has no Transfer-Encoding."
    case .unknownExpectation: "The only expectation understood here is '100-continue'."
    case .bodyTooLong: "The body has too many bytes."
    case .invalidChunkSize: "A chunk's size is not a number of bytes in hexadecimal digits."
    case .invalidChunkExtension: "A chunk's extension has a control character."
    case .chunkExtensionsTooLong: "The body's chunk extensions have too many bytes."
    case .invalidChunkEnd: "A chunk does not end with CR LF where its size says that it ends."
    }
  }
}
