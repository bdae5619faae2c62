import GraphQLTransport
import HTTP

/// A request to a route of the application: see `GraphQLServerOptions.route(_:_:bodyBytes:_:)`.
public struct RouteRequest: Sendable {
  /// The method, such as `POST`. A route for `GET` also gets requests with `HEAD`, whose responses are sent without
  /// their bodies.
  public let method: String

  /// The path as the client sent it, percent-encoded. Split it at its slashes before its parts are decoded, and never
  /// use it as the path of a file without a check: a decoded part can be `..`.
  public let path: String

  /// The bytes of the body; empty for a request without a body.
  public let body: [UInt8]

  /// The headers of the request, and the address of its peer.
  public let client: ClientRequest

  /// Percent-encoded.
  private let queryText: [UInt8]

  init(_ request: HTTPRequest) {
    method = request.methodText
    path = request.path.text
    body = Array(request.body)
    client = ClientRequest(caller: Caller(request, address: request.peer, keepsRequest: true))
    queryText = Array(request.query ?? [])
  }

  /// Creates a request that no client has sent, to test the closure of a route.
  ///
  /// - Parameters:
  ///   - method: The method, such as `POST`.
  ///   - path: The path, percent-encoded.
  ///   - query: The text after the question mark, percent-encoded, such as `id=5&size=small`.
  ///   - body: The bytes of the body.
  ///   - client: The headers and the address of the peer.
  public init(
    _ method: String,
    _ path: String,
    query: String = "",
    body: [UInt8] = [],
    client: ClientRequest = ClientRequest()
  ) {
    self.method = method
    self.path = path
    self.body = body
    self.client = client
    queryText = Array(query.utf8)
  }

  /// The value of the first field of the query with a name, decoded; `nil` if no field has the name, the query is
  /// malformed, or it has more than 64 fields.
  public func query(_ name: String) -> String? { (try? FormFields(queryText[...]))?[name] }
}
