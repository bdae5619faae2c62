import GraphQLEngine

/// Options of a server.
public struct GraphQLServerOptions: Sendable {
  /// The local address or host name to listen on. `0.0.0.0` listens on all addresses.
  public var host = "127.0.0.1"

  /// The port to listen on. 0 lets the system choose a free port.
  public var port = 8080

  /// The number of event loops, each on a thread; by default one for each core.
  public var threads: Int?

  /// The path of the endpoint, with a slash at its beginning and none at its end. The files of the playground and the
  /// schema have paths below it.
  public var path = "/graphql"

  /// Whether the endpoint serves a playground to browsers.
  public var hasPlayground = true

  /// The playground's title.
  public var title = "GraphQL"

  /// Whether clients can request the schema, by introspection or as the file `schema.graphql` below the endpoint.
  public var allowsIntrospection = true

  /// The limits of one request.
  public var limits = GraphQLLimits()

  /// The maximum size of a request body in bytes. Routes can accept longer ones.
  public var bodyBytes = 1 << 20

  /// The maximum number of requests in one body, sent as a list. Once their responses together have
  /// `limits.responseBytes`, the rest of the list is not executed.
  public var requestsPerBody = 1

  /// The old name of `requestsPerBody`.
  @available(*, deprecated, renamed: "requestsPerBody")
  public var batchSize: Int {
    get { requestsPerBody }
    set { requestsPerBody = newValue }
  }

  /// The origins whose pages can read responses and open WebSockets, such as `https://app.example.com` or
  /// `http://localhost:5173`, without a path. `*` allows all origins.
  public var allowedOrigins: Set<String> = []

  /// The names of further request headers that pages of the allowed origins can send, such as `X-Tenant`. They can
  /// always send `Authorization`, `Content-Type` and the headers of common GraphQL clients.
  public var allowedHeaders: Set<String> = []

  /// The public URL of the server, if it differs from its own address. Pages of this origin can open WebSockets.
  public var publicURL: String?

  /// Documents by their id. Requests can send the `documentId` in place of the document. All must be valid.
  public var trustedDocuments: [String: String] = [:]

  /// Whether other documents are rejected.
  public var acceptsTrustedDocumentsOnly = false

  /// The prefix of the metric names at `/metrics`.
  public var metricsPrefix = ""

  /// Called with every error that clients do not see, and with the coordinate of the field, or the method and the path
  /// of the route. By default the error is written to the standard error. If the schema has an `onError` with contexts,
  /// that one is called in place of this for the errors of operations.
  public var onError: ErrorHandler = ErrorLog.write

  /// See `route(_:_:bodyBytes:_:)`.
  var routes: [ServerRoute] = []

  /// Creates the default options.
  public init() {}
}
