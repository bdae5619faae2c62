import GraphQLEngine

/// How a server listens, and what it accepts.
public struct GraphQLServerOptions: Sendable {
  /// The address or name of this machine to listen on. `0.0.0.0` listens on all addresses.
  public var host = "127.0.0.1"

  /// The port to listen on. With 0 the system chooses a free one.
  public var port = 8080

  /// The number of threads that serve requests; by default one for each core.
  public var threads: Int?

  /// The path of the endpoint. The playground's files and the schema are below it.
  public var path = "/graphql"

  /// Whether browsers get a playground at the endpoint.
  public var hasPlayground = true

  /// The playground's title.
  public var title = "GraphQL"

  /// Whether clients may ask for the schema, by introspection or as a file.
  public var allowsIntrospection = true

  /// What one request may cost.
  public var limits = GraphQLLimits()

  /// The bytes of a request's body.
  public var bodyBytes = 1 << 20

  /// The requests that one body may have, as a list.
  public var batchSize = 1

  /// The origins whose pages may read responses and open WebSockets, such as `https://app.example.com`; `*` allows all.
  public var allowedOrigins: Set<String> = []

  /// The URL under which clients reach the server, where that is not its own address. Pages of it may open WebSockets.
  public var publicURL: String?

  /// Documents that requests may name instead of sending them, by their `documentId`.
  public var trustedDocuments: [String: String] = [:]

  /// Whether documents other than the trusted ones are rejected.
  public var acceptsTrustedDocumentsOnly = false

  /// What the names of the figures at `/metrics` begin with.
  public var metricsPrefix = ""

  /// Called with every error that clients do not see, and the field where it occurred.
  public var onError: ErrorHandler = { error, field in GraphQLServerLog.write(error, field) }

  /// Creates the default options.
  public init() {}
}
