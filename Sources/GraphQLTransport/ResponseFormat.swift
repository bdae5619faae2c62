import Bytes
import GraphQL
import HTTP

/// The two media types of GraphQL answers (GraphQL over HTTP, section 6), which differ in what their status says.
enum ResponseFormat {
  /// `application/graphql-response+json`: a request that could not be executed is a 400.
  case response
  /// `application/json`: whatever GraphQL has to say is a 200, since a 400 may come from something on the way.
  case json

  /// What the client likes best; nil where it takes neither. Without a wish it is the newer type.
  static func preferred(by request: HTTPRequest) -> ResponseFormat? {
    guard let first = request[.accept] else { return .response }
    // What most clients send needs no parsing.
    if first.equals("*/*") || first.equals("application/graphql-response+json") { return .response }
    if first.equals("application/json") { return .json }
    guard let accept = Accept(request.values(of: .accept)) else { return nil }
    switch accept.preferred(among: offers) {
    case 0: return .response
    case 1: return .json
    default: return nil
    }
  }

  /// With the charset, for the clients that ask for it as well: the specification's own examples do.
  private static let offers = [
    "application/graphql-response+json; charset=utf-8", "application/json; charset=utf-8",
  ].compactMap { MediaType($0) }

  /// Whether the client takes server-sent events.
  static func takesEventStream(_ request: HTTPRequest) -> Bool {
    guard let first = request[.accept], !first.equals("*/*"), !first.equals("application/json"),
      !first.equals("application/graphql-response+json")
    else { return false }
    if first.equals("text/event-stream") { return true }
    // Who takes anything does not mean this.
    guard request.values(of: .accept).contains(where: { $0.text.lowercased().contains("text/event-stream") }) else {
      return false
    }
    guard let accept = Accept(request.values(of: .accept)) else { return false }
    return eventStreams.contains { accept.quality(of: $0) > 0 }
  }

  private static let eventStreams = [eventStreamType].compactMap { MediaType($0) }
  private static let eventStreamType = "text/event-stream; charset=utf-8"

  static let eventStreamHeaders = HeaderBlock(fixed: [
    "Content-Type": eventStreamType, "Cache-Control": "private, no-store",
    // Proxies that gather a response before they pass it on would keep the events.
    "X-Accel-Buffering": "no",
  ])

  var headers: HeaderBlock {
    switch self {
    case .response: Self.responseHeaders
    case .json: Self.jsonHeaders
    }
  }

  /// An answer to what was executed, in gzip where the client prefers it and it is worth it.
  func answer(_ body: consuming ByteBuffer, to request: HTTPRequest) -> HTTPResponse {
    let takesGzip = body.count >= Gzip.smallest && Self.takesGzip(request)
    var headers = headers
    if request.method != .post {
      // A client may keep what it got by GET for itself, if it asks each time whether that is still so.
      let tag = Self.tag(of: body, isCompressed: takesGzip)
      headers = revalidatedHeaders.adding(fixed: "ETag", tag)
      if EntityTag.isNamed(tag, by: request.values(of: .ifNoneMatch)) {
        return HTTPResponse(.notModified, headers: headers)
      }
    }
    if takesGzip {
      let compressed = Gzip.compressed(body, level: .fast)
      if !compressed.isEmpty {
        return HTTPResponse(.ok, headers: headers.adding(fixed: "Content-Encoding", "gzip"), body: compressed)
      }
    }
    return HTTPResponse(.ok, headers: headers, body: body)
  }

  /// What is longer is compressed off the loop.
  static let maximumBytesOnLoop = 512 << 10
  private static let maximumBytesCompressedOnce = 64 << 10

  /// An answer that is the same for everybody, and is compressed once; nil where the operation has none.
  func constantResponse(of operation: PreparedOperation, to request: HTTPRequest) -> HTTPResponse? {
    guard let plain = operation.constantResponse else { return nil }
    if plain.count >= Gzip.smallest, Self.takesGzip(request) {
      // Compressing well takes long: a long response is compressed quickly, and each time.
      guard plain.count <= Self.maximumBytesCompressedOnce else { return nil }
      let compressed = operation.compressedConstantResponse ?? Gzip.compressed(plain, level: .good) ?? []
      operation.compressedConstantResponse = compressed
      if !compressed.isEmpty {
        let headers = headers.adding(fixed: "Content-Encoding", "gzip")
        return HTTPResponse(.ok, headers: headers, body: Self.body(compressed))
      }
    }
    return HTTPResponse(.ok, headers: headers, body: Self.body(plain))
  }

  private static func body(_ bytes: [UInt8]) -> ByteBuffer {
    var body = ByteBuffer(capacity: bytes.count)
    body.append(bytes)
    return body
  }

  private static func takesGzip(_ request: HTTPRequest) -> Bool {
    request[.acceptEncoding] != nil && AcceptEncoding.prefersGzip(request.values(of: .acceptEncoding))
  }

  /// By the body's SHA-256; what is compressed is another thing (RFC 9110, section 8.8.3.3).
  private static func tag(of body: borrowing ByteBuffer, isCompressed: Bool) -> String {
    let hash = String(decoding: body.withUnsafeBytes { SHA256Digits.hex(of: $0) }.prefix(32), as: UTF8.self)
    return "\"\(hash)\(isCompressed ? "-gzip" : "")\""
  }

  /// For a request that was well-formed HTTP but could not be executed.
  var refusalStatus: HTTPStatus {
    switch self {
    case .response: .badRequest
    case .json: .ok
    }
  }

  private var revalidatedHeaders: HeaderBlock {
    switch self {
    case .response: Self.revalidatedResponseHeaders
    case .json: Self.revalidatedJSONHeaders
    }
  }

  private static let revalidatedResponseHeaders = revalidatedHeaders(for: responseType)
  private static let revalidatedJSONHeaders = revalidatedHeaders(for: jsonType)

  private static func revalidatedHeaders(for contentType: String) -> HeaderBlock {
    HeaderBlock(fixed: [
      "Content-Type": contentType, "Cache-Control": "private, no-cache",
      "Vary": "Accept, Accept-Encoding, Authorization",
    ])
  }

  private static let responseType = "application/graphql-response+json; charset=utf-8"
  private static let jsonType = "application/json; charset=utf-8"
  private static let responseHeaders = headers(for: responseType)
  private static let jsonHeaders = headers(for: jsonType)

  /// Answers are for one person at one moment.
  private static func headers(for contentType: String) -> HeaderBlock {
    HeaderBlock(fixed: ["Content-Type": contentType, "Cache-Control": "private, no-store"])
  }
}

extension HeaderBlock {
  /// Headers that are written in this program, and so are known to be well-formed.
  package init(fixed headers: KeyValuePairs<String, String>) {
    do {
      try self.init(headers)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
