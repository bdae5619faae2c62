import HTTP

/// Which other sites' pages may read answers (the CORS protocol of the Fetch standard): none, unless a deployment names them.
///
/// Never with credentials of the browser's own: there are none here, an access token is sent by the page's code alone.
package struct CrossOrigin: Sendable {
  private let origins: Set<[UInt8]>
  private let allowsAll: Bool

  /// Each origin as `https://app.example.com`; `*` stands for all.
  package init(_ origins: Set<String> = []) {
    self.origins = Set(origins.map { Array($0.utf8) })
    allowsAll = origins.contains("*")
  }

  /// Whether a request may have to do with any of this.
  func concerns(_ request: HTTPRequest) -> Bool {
    (allowsAll || !origins.isEmpty) && request[.origin] != nil
  }

  /// An answer with what its reader's browser must be told: the page's origin, where it is one of those named.
  func allowing(_ response: consuming HTTPResponse, to request: HTTPRequest) -> HTTPResponse {
    guard concerns(request) else { return response }
    var response = response
    response.headers = response.headers.adding(fixed: "Vary", "Origin")
    if let origin = allowedOrigin(of: request) {
      response.headers = response.headers.adding(fixed: "Access-Control-Allow-Origin", origin)
    }
    return response
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
    "Access-Control-Allow-Headers": "Authorization, Content-Type, GraphQL-Require-Preflight, Last-Event-ID",
    "Access-Control-Max-Age": "7200",
  ])
}
