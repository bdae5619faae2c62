import HTTP
import HTTPServer

/// The origins whose pages can read responses (the CORS protocol of the Fetch standard): none, unless the deployment
/// lists them.
///
/// Credentials of the browser are never allowed, because there are none: access tokens are sent by the page's own code.
package struct CrossOrigin: Sendable {
  /// The allowed origins, each with the headers of responses to its pages. The headers are made once: making them for
  /// each response took 10,000 instructions.
  private let origins: [(text: [UInt8], headers: HeaderBlock)]
  /// The headers of all responses; nil if the origins are listed.
  private let headersForAll: HeaderBlock?
  private let publicURL: String?
  /// Host names of this server in lower case, in addition to the loopback names.
  private let hosts: Set<String>
  private let preflightHeaders: HeaderBlock
  /// The names of the settings that allow an origin, for the error message.
  let settings: String

  /// `origins` have the form `https://app.example.com`; `*` allows all. `publicURL` is the URL of this server, and
  /// `host` the name that it listens on. `allowedHeaders` are the names of further request headers that pages can send;
  /// they must be valid. `settings` names the settings that these values come from.
  package init(
    _ origins: Set<String> = [],
    publicURL: String? = nil,
    host: String? = nil,
    allowedHeaders: Set<String> = [],
    settings: String = "the allowed origins"
  ) {
    self.settings = settings
    self.publicURL = publicURL
    let requestHeaders = ([Self.requestHeaders] + allowedHeaders.sorted()).joined(separator: ", ")
    preflightHeaders = HeaderBlock(trusted: [
      "Access-Control-Allow-Headers": requestHeaders, "Access-Control-Max-Age": "7200",
    ])
    let publicHost = publicURL.flatMap { url in
      url.firstRange(of: "://").map { Host.name(in: String(url[$0.upperBound...].prefix { $0 != "/" })) }
    }
    hosts = Set([publicHost, host].compactMap { $0?.lowercased() })
    headersForAll = origins.contains("*") ? Self.headers(for: "*") : nil
    // No request has an origin that a header cannot contain.
    self.origins = origins.compactMap { origin in Self.headers(for: origin).map { (Array(origin.utf8), $0) } }
  }

  private static func headers(for origin: String) -> HeaderBlock? {
    try? HeaderBlock([
      "Vary": "Origin", "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": "ETag, Retry-After",
    ])
  }

  /// Whether the response to a request has CORS headers. A response that a cache may store has them also if the request
  /// has no origin: the cache can send it to a page later (the Fetch standard, "CORS protocol and HTTP caches").
  func concerns(_ request: HTTPRequest) -> Bool {
    !origins.isEmpty && (request.has(.origin) || request.method != .post)
  }

  /// Adds the CORS headers to a response: the page's origin, if it is allowed.
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
    case .deferred(let held, let rest):
      .deferred(holding: held) { request in allowing(await rest(request), to: request) }
    }
  }

  func allowing(_ headers: HeaderBlock, to request: HTTPRequest) -> HeaderBlock {
    concerns(request) ? headers.adding(headersIfAllowed(request) ?? Self.headersOfOthers) : headers
  }

  private static let maximumOriginBytes = 1024

  /// Whether a page can open a WebSocket. CORS does not cover WebSockets, so without this check any page could read
  /// here what it cannot read by a request. Clients other than browsers send no Origin.
  ///
  /// A page of this server has the Host of the request as its origin. So has an attacker's page whose name was made to
  /// resolve to this server's address (DNS rebinding). The host must therefore be a known one.
  func admitsSocket(_ request: HTTPRequest) -> Bool {
    guard let origin = request[.origin], headersIfAllowed(request) == nil else { return true }
    // No host has so long a name, and comparing texts of 32 KB takes the loop milliseconds.
    guard origin.count <= Self.maximumOriginBytes else { return false }
    let text = origin.text
    if text == publicURL { return true }
    guard let scheme = text.firstRange(of: "://"), let host = request.host?.text.lowercased() else { return false }
    return text[scheme.upperBound...].lowercased() == host && isKnown(Host.name(in: host))
  }

  /// Whether the host is a name of this server or an address. An address needs no name resolution, so that DNS
  /// rebinding does not apply.
  private func isKnown(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || Host.isAddress(host) || hosts.contains(host)
  }

  /// The response to a CORS preflight request; nil for any other OPTIONS.
  /// - Parameter methods: The methods of the path; nil for those of the endpoint and of what can be read.
  func preflight(_ request: HTTPRequest, methods: String?) -> HTTPResponse? {
    let isPreflight = request.has(.origin) && request["access-control-request-method"] != nil
    guard concerns(request), isPreflight, headersIfAllowed(request) != nil else { return nil }
    let headers = preflightHeaders.adding(trusted: "Access-Control-Allow-Methods", methods ?? "GET, POST")
    return HTTPResponse(.noContent, headers: headers)
  }

  /// The headers of responses to a page that can read them; nil for the pages of other origins.
  private func headersIfAllowed(_ request: HTTPRequest) -> HeaderBlock? {
    headersForAll ?? origins.first { request.has(.origin, $0.text) }?.headers
  }

  /// The headers of responses to pages that cannot read them.
  private static let headersOfOthers = HeaderBlock(trusted: ["Vary": "Origin"])

  /// The request headers are those of Hearth's own clients, of Apollo's clients, and of tracing libraries for browsers.
  /// `Documentation/troubleshooting.md` lists them.
  private static let requestHeaders =
    "Authorization, Content-Type, GraphQL-Require-Preflight, Apollo-Require-Preflight, X-Apollo-Operation-Name, "
    + "apollographql-client-name, apollographql-client-version, Idempotency-Key, If-None-Match, Last-Event-ID, "
    + "traceparent, tracestate"
}
