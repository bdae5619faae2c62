import Bytes
import GraphQL
import HTTP

/// The two media types of GraphQL responses (GraphQL over HTTP, section 6). They differ in their status codes: by its
/// media type a client chooses the edition of the specification.
enum ResponseFormat {
  /// `application/graphql-response+json`, with the status codes of September 2026: 294 for data with errors, 400 for a
  /// text that cannot be parsed, 422 for a request that cannot be executed.
  case response
  /// `application/json`, with the status codes of the drafts before 2026: 200 for every response to a well-formed
  /// request. Older clients rely on that, because another status may come from an intermediary.
  case json

  /// The format that the client prefers; nil if it accepts neither. The default is the newer type.
  static func preferred(by request: HTTPRequest) -> ResponseFormat? {
    guard request.has(.accept) else { return .response }
    // The most common values need no parsing.
    if let only = request.onlyValue(of: .accept) {
      if only.equals("*/*") || only.equals("application/graphql-response+json") { return .response }
      if only.equals("application/json") { return .json }
    }
    guard let accept = Accept(request.values(of: .accept)) else { return nil }
    switch accept.preferred(among: offers) {
    case 0: return .response
    case 1: return .json
    default: return nil
    }
  }

  /// With the charset, because some clients request it, as the examples in the specification do.
  private static let offers = [
    "application/graphql-response+json; charset=utf-8", "application/json; charset=utf-8",
  ].compactMap { MediaType($0) }

  /// The priority of a single response.
  static func quality(for accept: Accept) -> Int { offers.map { accept.quality(of: $0) }.max() ?? 0 }

  /// Whether the client accepts server-sent events.
  static func acceptsEventStream(_ request: HTTPRequest) -> Bool {
    // A wildcard does not request an event stream.
    guard request.values(of: .accept).contains(where: { $0.containsIgnoringCase("text/event-stream") }),
      let accept = Accept(request.values(of: .accept))
    else { return false }
    return eventStreams.contains { accept.quality(of: $0) > 0 }
  }

  /// Whether the client prefers server-sent events to a single response and to one in parts, also for queries and
  /// mutations.
  /// - Parameter parts: The format of parts that the client accepts; nil if it accepts none, or prefers a single
  ///   response.
  static func prefersEventStream(_ request: HTTPRequest, toPartsIn parts: IncrementalFormat?) -> Bool {
    guard let accept = Accept(request.values(of: .accept)) else { return false }
    let others = max(quality(for: accept), parts.map { MultipartFormat.quality(of: $0, for: accept) } ?? 0)
    return eventStreams.contains { accept.quality(of: $0) > others }
  }

  private static let eventStreams = [eventStreamType].compactMap { MediaType($0) }
  private static let eventStreamType = "text/event-stream; charset=utf-8"

  static let eventStreamHeaders = HeaderBlock(trusted: [
    "Content-Type": eventStreamType, "Cache-Control": "private, no-store",
    // Tells proxies that buffer responses not to delay the events.
    "X-Accel-Buffering": "no",
  ])

  var headers: HeaderBlock {
    switch self {
    case .response: Self.responseHeaders
    case .json: Self.jsonHeaders
    }
  }

  /// The same for a body in gzip.
  var compressedHeaders: HeaderBlock {
    switch self {
    case .response: Self.compressedResponseHeaders
    case .json: Self.compressedJSONHeaders
    }
  }

  /// The response of an executed request, compressed if the client prefers that and it saves bytes.
  /// - Parameter report: What the response says of its times.
  func answer(
    _ body: consuming ByteBuffer,
    to request: HTTPRequest,
    compressedBy gzip: GzipCompressor,
    report: RequestMeasurement.Report? = nil
  ) -> HTTPResponse {
    let acceptsGzip = body.count >= GzipCompressor.smallest && AcceptEncoding.prefersGzip(request)
    let status = body.withUnsafeBytes { self.status(ofBody: $0) }
    var headers = headers
    if let report { Self.add(report, to: &body, &headers) }
    // Preconditions are ignored if the response would not be successful (RFC 9110, section 13.2.1).
    if request.method != .post, status.isSuccessful {
      let tag = entityTag(ofHash: body.withUnsafeBytes(Self.hash), isCompressed: acceptsGzip)
      headers = revalidatedHeaders.adding(trusted: "ETag", tag)
      if let response = EntityTag.response(toPreconditionsOf: request, tag: tag, headers: headers) { return response }
    }
    if acceptsGzip {
      let compressed = gzip.compressed(body)
      if !compressed.isEmpty {
        return HTTPResponse(status, headers: headers.adding(Self.gzipHeader), body: compressed)
      }
    }
    return HTTPResponse(status, headers: headers, body: body)
  }

  /// The same without what takes long for a large response: it is not compressed, and has no entity tag.
  func plainAnswer(_ body: consuming ByteBuffer, report: RequestMeasurement.Report?) -> HTTPResponse {
    let status = body.withUnsafeBytes { self.status(ofBody: $0) }
    var headers = headers
    if let report { Self.add(report, to: &body, &headers) }
    return HTTPResponse(status, headers: headers, body: body)
  }

  private static func add(
    _ report: RequestMeasurement.Report,
    to body: inout ByteBuffer,
    _ headers: inout HeaderBlock
  ) {
    body.append(extensions: report.extensions)
    if let timing = report.timing { headers = headers.adding(trusted: "Server-Timing", timing) }
  }

  /// A response that is sent again, from memory that requests share.
  /// - Parameters:
  ///   - hash: The hash of the body, by `hash(of:)`. Only needed for a GET or HEAD.
  ///   - compressed: The body in gzip; nil if compression saves nothing.
  func answer(
    sharedBody: [UInt8],
    to request: HTTPRequest,
    hash: @autoclosure () -> String,
    compressed: @autoclosure () -> [UInt8]?
  ) -> HTTPResponse {
    let acceptsGzip = sharedBody.count >= GzipCompressor.smallest && AcceptEncoding.prefersGzip(request)
    var fields = (plain: headers, compressed: compressedHeaders)
    if request.method != .post {
      let tag = entityTag(ofHash: hash(), isCompressed: acceptsGzip)
      let headers = revalidatedHeaders.adding(trusted: "ETag", tag)
      if let response = EntityTag.response(toPreconditionsOf: request, tag: tag, headers: headers) { return response }
      fields = (headers, headers.adding(Self.gzipHeader))
    }
    guard acceptsGzip, let compressed = compressed() else {
      return HTTPResponse(.ok, headers: fields.plain, sharedBody: sharedBody)
    }
    return HTTPResponse(.ok, headers: fields.compressed, sharedBody: compressed)
  }

  /// The compressed form is a representation of its own (RFC 9110, section 8.8.3.3), and so is each media type.
  private func entityTag(ofHash hash: String, isCompressed: Bool) -> String {
    "\"\(hash)\(self == .json ? "-json" : "")\(isCompressed ? "-gzip" : "")\""
  }

  /// Larger responses are compressed on a worker thread.
  static let maximumBytesOnLoop = 512 << 10
  private static let maximumBytesCompressedOnce = 64 << 10

  /// A constant response, which is the same for all callers and is compressed once; nil if the operation has none.
  func constantResponse(of operation: PreparedOperation?, to request: HTTPRequest) -> HTTPResponse? {
    guard let plain = operation?.constantResponse else { return nil }
    if plain.count >= GzipCompressor.smallest, AcceptEncoding.prefersGzip(request) {
      // A high compression level is slow: a large response is compressed each time, at a fast level.
      guard plain.count <= Self.maximumBytesCompressedOnce else { return nil }
      let compressed = operation?.compressedConstantResponse ?? GzipCompressor(.good).compressed(plain) ?? []
      operation?.compressedConstantResponse = compressed
      if !compressed.isEmpty {
        return HTTPResponse(.ok, headers: compressedHeaders, sharedBody: compressed)
      }
    }
    return HTTPResponse(.ok, headers: headers, sharedBody: plain)
  }

  /// The first half of the SHA-256 of a body, for its entity tag.
  static func hash(of body: UnsafeRawBufferPointer) -> String {
    String(decoding: SHA256Digits.hex(of: body).prefix(32), as: UTF8.self)
  }

  /// The status of a request error.
  func status(of error: ErrorCode?) -> HTTPStatus {
    switch self {
    case .response: error.flatMap { Self.statuses[$0] } ?? .unprocessableContent
    case .json: .ok
    }
  }

  /// The statuses of request errors, except of those that are about the content of the request.
  private static let statuses: [ErrorCode: HTTPStatus] = [
    // The document cannot be parsed, or is not parsed to its end because of a limit.
    .parseFailed: .badRequest, .documentTooLarge: .badRequest, .tooManyTokens: .badRequest,
    .nestingTooDeep: .badRequest,
    .notAcceptable: .notAcceptable, .rateLimited: .tooManyRequests, .readOnly: .serviceUnavailable,
  ]

  /// The status of the response of an executed request: with data and errors, or with data alone.
  private func status(ofBody body: UnsafeRawBufferPointer) -> HTTPStatus {
    self == .response && OperationSummary.hasErrors(body) ? .partialSuccess : .ok
  }

  /// The headers of a response that the client can cache and must revalidate each time, which is one to a GET or HEAD.
  private var revalidatedHeaders: HeaderBlock {
    switch self {
    case .response: Self.revalidatedResponseHeaders
    case .json: Self.revalidatedJSONHeaders
    }
  }

  private static let revalidatedResponseHeaders = revalidatedHeaders(for: responseType)
  private static let revalidatedJSONHeaders = revalidatedHeaders(for: jsonType)

  private static func revalidatedHeaders(for contentType: String) -> HeaderBlock {
    HeaderBlock(trusted: [
      "Content-Type": contentType, "Cache-Control": "private, no-cache",
      "Vary": "Accept, Accept-Encoding, Authorization",
    ])
  }

  private static let responseType = "application/graphql-response+json; charset=utf-8"
  private static let jsonType = "application/json; charset=utf-8"
  private static let responseHeaders = headers(for: responseType)
  private static let jsonHeaders = headers(for: jsonType)
  private static let gzipHeader = HeaderBlock(trusted: ["Content-Encoding": "gzip"])
  private static let compressedResponseHeaders = responseHeaders.adding(gzipHeader)
  private static let compressedJSONHeaders = jsonHeaders.adding(gzipHeader)

  /// Responses are specific to the caller and the moment.
  private static func headers(for contentType: String) -> HeaderBlock {
    HeaderBlock(trusted: ["Content-Type": contentType, "Cache-Control": "private, no-store"])
  }
}
