import HTTP
import HTTPServer

/// Which other sites' pages may read answers (the CORS protocol of the Fetch standard): none, unless a deployment names
/// them.
///
/// Never with credentials of the browser's own: there are none here, an access token is sent by the page's code alone.
package struct CrossOrigin: Sendable {
  private let origins: Set<[UInt8]>
  private let allowsAll: Bool
  private let publicURL: String?
  /// Names of this server, in lower case, beside those of every machine for itself.
  private let hosts: Set<String>
  /// The names of the settings that allow an origin, for the message to those that are not allowed.
  let settings: String

  /// Each origin as `https://app.example.com`; `*` stands for all. `publicURL` is the server's own, and `host` is the
  /// name that it listens on. `settings` are the names of the settings that these come from.
  package init(
    _ origins: Set<String> = [],
    publicURL: String? = nil,
    host: String? = nil,
    settings: String = "the allowed origins"
  ) {
    self.settings = settings
    self.publicURL = publicURL
    let publicHost = publicURL.flatMap { url in
      url.firstRange(of: "://").map { Host.name(in: String(url[$0.upperBound...].prefix { $0 != "/" })) }
    }
    hosts = Set([publicHost, host].compactMap { $0?.lowercased() })
    self.origins = Set(origins.map { Array($0.utf8) })
    allowsAll = origins.contains("*")
  }

  /// Whether a request may have to do with any of this.
  func concerns(_ request: HTTPRequest) -> Bool {
    (allowsAll || !origins.isEmpty) && request[.origin] != nil
  }

  /// An answer with what its reader's browser must be told: the page's origin, where it is one of those named.
  func allowing(_ response: consuming HTTPResponse, to request: HTTPRequest) -> HTTPResponse {
    var response = response
    response.headers = allowing(response.headers, to: request)
    return response
  }

  func allowing(_ answer: consuming HTTPAnswer, to request: HTTPRequest) -> HTTPAnswer {
    switch consume answer {
    case .response(let response): .response(allowing(response, to: request))
    case .stream(let headers, let writer): .stream(allowing(headers, to: request), writer)
    case .webSocket(let handshake, let socket): .webSocket(handshake, socket)
    case .deferred(let rest): .deferred { allowing(await rest(), to: request) }
    }
  }

  func allowing(_ headers: HeaderBlock, to request: HTTPRequest) -> HeaderBlock {
    guard concerns(request) else { return headers }
    let headers = headers.adding(fixed: "Vary", "Origin")
    guard let origin = allowedOrigin(of: request) else { return headers }
    return headers.adding(fixed: "Access-Control-Allow-Origin", origin)
      .adding(fixed: "Access-Control-Expose-Headers", "ETag")
  }

  /// Whether the page that opens a WebSocket may: CORS knows nothing of WebSockets, so that any page could read here
  /// what it may not by a request. Programs that are no browsers do not send an origin.
  ///
  /// A page of this server has the host of the request as its origin. So has a page of an attacker whose name was made
  /// to resolve to this server's address (DNS rebinding): the host must be one that is known.
  func admitsSocket(_ request: HTTPRequest) -> Bool {
    guard let origin = request[.origin], allowedOrigin(of: request) == nil else { return true }
    let text = origin.text
    if text == publicURL { return true }
    guard let scheme = text.firstRange(of: "://"), let host = request.host?.text.lowercased() else { return false }
    return text[scheme.upperBound...].lowercased() == host && isKnown(Host.name(in: host))
  }

  /// Names of this server, and addresses: no name has to be resolved for those, and no browser takes one for another.
  private func isKnown(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || Host.isAddress(host) || hosts.contains(host)
  }

  /// The answer to a browser that asks beforehand; nil where it is another OPTIONS.
  func preflight(_ request: HTTPRequest) -> HTTPResponse? {
    guard concerns(request), request["access-control-request-method"] != nil, allowedOrigin(of: request) != nil else {
      return nil
    }
    return HTTPResponse(.noContent, headers: Self.preflightHeaders)
  }

  private func allowedOrigin(of request: HTTPRequest) -> String? {
    guard let origin = request[.origin] else { return nil }
    if allowsAll { return "*" }
    return origins.contains(Array(origin)) ? origin.text : nil
  }

  private static let preflightHeaders = HeaderBlock(fixed: [
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers":
      "Authorization, Content-Type, GraphQL-Require-Preflight, Apollo-Require-Preflight, X-Apollo-Operation-Name, "
      + "If-None-Match, Last-Event-ID",
    "Access-Control-Max-Age": "7200",
  ])
}
