import Bytes
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
      !first.equals("application/graphql-response+json"), let type = MediaType("text/event-stream")
    else { return false }
    if first.equals("text/event-stream") { return true }
    // Who takes anything does not mean this.
    guard request.values(of: .accept).contains(where: { $0.text.lowercased().contains("text/event-stream") }) else {
      return false
    }
    return Accept(request.values(of: .accept)).map { $0.quality(of: type) > 0 } ?? false
  }

  static let eventStreamHeaders = HeaderBlock(fixed: [
    "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "private, no-store",
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
    if body.count >= Gzip.smallest, request[.acceptEncoding] != nil,
      AcceptEncoding.prefersGzip(request.values(of: .acceptEncoding))
    {
      let compressed = Gzip.compressed(body, level: .fast)
      if !compressed.isEmpty {
        return HTTPResponse(.ok, headers: headers.adding(fixed: "Content-Encoding", "gzip"), body: compressed)
      }
    }
    return HTTPResponse(.ok, headers: headers, body: body)
  }

  /// For a request that was well-formed HTTP but could not be executed.
  var refusalStatus: HTTPStatus {
    switch self {
    case .response: .badRequest
    case .json: .ok
    }
  }

  private static let responseHeaders = headers(for: "application/graphql-response+json; charset=utf-8")
  private static let jsonHeaders = headers(for: "application/json; charset=utf-8")

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
