import EventLoop
import Glibc
import GraphQL
@_exported import GraphQLEngine
import GraphQLTransport
import HTTP
import HTTPServer
import Playground
import Synchronization

/// Serves a GraphQL schema over HTTP.
///
/// The endpoint answers queries and mutations by POST and GET, subscriptions over WebSockets (graphql-transport-ws) and
/// as event streams (graphql-sse), and browsers with a playground. `/health`, `/ready` and `/metrics` are for
/// operators.
///
/// ```swift
/// let server = try GraphQLServer(schema) { request in
///   Context(library: library, user: try await users.user(of: request.bearerToken))
/// }
/// try await server.run()
/// ```
///
/// It serves HTTP/1.1 without TLS. Run it behind a proxy that terminates TLS.
public final class GraphQLServer<Context: Sendable>: Sendable {
  private typealias Handler = GraphQLHandler<ResolverService<Context>>

  private let group: EventLoopGroup
  private let server: HTTPServer<Handler>
  private let host: String
  private let path: String
  private let isStopped = Mutex(false)

  /// Creates a server with a closure that makes contexts without awaiting.
  ///
  /// - Parameters:
  ///   - schema: The schema, with resolvers for all of its fields.
  ///   - options: How the server listens, and what it accepts.
  ///   - context: Makes the context of a request. A `GraphQLError` that it throws is the response.
  /// - Throws: `GraphQLSchemaError` when the schema is not valid, a field has no resolver, or a trusted document is not
  ///   valid. `GraphQLServerOptionsError` when an option has an invalid value.
  public convenience init(
    _ schema: GraphQLSchema<Context>,
    options: GraphQLServerOptions = GraphQLServerOptions(),
    context: @escaping @Sendable (ClientRequest) throws -> Context
  ) throws {
    try self.init(schema, options: options, context: .atOnce(context))
  }

  /// Creates a server with a closure that awaits to make contexts.
  ///
  /// - Parameters:
  ///   - schema: The schema, with resolvers for all of its fields.
  ///   - options: How the server listens, and what it accepts.
  ///   - context: Makes the context of a request. A `GraphQLError` that it throws is the response.
  /// - Throws: `GraphQLSchemaError` when the schema is not valid, a field has no resolver, or a trusted document is not
  ///   valid. `GraphQLServerOptionsError` when an option has an invalid value.
  public convenience init(
    _ schema: GraphQLSchema<Context>,
    options: GraphQLServerOptions = GraphQLServerOptions(),
    context: @escaping @Sendable (ClientRequest) async throws -> Context
  ) throws {
    try self.init(schema, options: options, context: .waiting(context))
  }

  private init(
    _ schema: GraphQLSchema<Context>,
    options: GraphQLServerOptions,
    context: ContextMaker<Context>
  ) throws {
    try options.check()
    (host, path) = (options.host, options.path)
    let executable = try schema.executable()
    let handlerOptions = try options.handlerOptions(for: executable, sdl: schema.sdl)
    var http = HTTPServerOptions()
    http.limits.bodyBytes = options.bodyBytes
    // The library has no sessions, so larger bodies cannot require one.
    http.limits.unadmittedBytes = handlerOptions.unadmittedBytes
    group = try options.threads.map { try EventLoopGroup(count: $0) } ?? EventLoopGroup()
    server = HTTPServer(group: group, host: options.host, port: options.port, options: http) { loop in
      let sources = EventSources(onError: options.onError)
      let handler = Handler(
        on: loop,
        ResolverService(
          executable,
          isIntrospectionPublic: options.allowsIntrospection,
          sources: sources,
          onError: options.onError,
          makeContext: context
        ),
        options: handlerOptions
      )
      sources.attach(to: handler.hub) { work in Task(executorPreference: loop) { await work() } }
      return handler
    }
  }

  /// Starts the server. A server is started once.
  ///
  /// - Returns: The port that the server listens on.
  /// - Throws: If the address is in use or not available. The server is then shut down: make another one.
  @discardableResult
  public func start() async throws -> Int {
    do {
      return try await server.start()
    } catch {
      await shutdown(deadline: .zero)
      throw error
    }
  }

  /// Serves until the process receives SIGINT or SIGTERM, then shuts down.
  ///
  /// Prints the URL of the endpoint to the standard output.
  public func run() async throws {
    let signals = try await group.loops[0].signals([SIGINT, SIGTERM])
    GraphQLServerLog.announce("http://\(host.hostInURL):\(try await start())\(path)")
    for await _ in signals { break }
    await shutdown()
  }

  /// Stops accepting connections, waits up to `deadline` for running requests, and stops the server. Only the first
  /// call has an effect.
  ///
  /// Do not await it in a resolver, whose own request it waits for: start a detached task instead.
  public func shutdown(deadline: Duration = .seconds(10)) async {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    await server.shutdown(deadline: deadline)
    group.stop()
  }
}

extension GraphQLServerOptions {
  fileprivate func handlerOptions(for executable: ExecutableSchema, sdl: String) throws -> GraphQLHandlerOptions {
    let files = files(sdl: sdl)
    let documents = try documents(for: executable)
    var handler = GraphQLHandlerOptions(
      files: files,
      metrics: Metrics(prefix: metricsPrefix) { FactoryMetrics($0) }
    )
    handler.path = path
    handler.documents = documents
    // Looked up once, so that requests to a server without a tracer cost nothing.
    handler.tracing = TracerSpans()
    handler.crossOrigin = CrossOrigin(
      allowedOrigins,
      publicURL: publicURL,
      host: host,
      settings: "allowedOrigins and publicURL"
    )
    handler.batchSize = batchSize
    handler.limits = limits.request
    handler.unadmittedBytes = bodyBytes
    handler.workers = try WorkerPool(threads: 1, queueLimit: 1024)
    return handler
  }

  private func files(sdl: String) -> StaticFiles {
    let schema: [Asset] = allowsIntrospection ? [.schema(sdl, below: path)] : []
    guard hasPlayground else { return StaticFiles(schema) }
    var page = PlaygroundPage()
    page.endpoint = path
    page.title = title
    return StaticFiles(page.assets + schema, page: page.asset)
  }

  private func documents(for executable: ExecutableSchema) throws(GraphQLSchemaError) -> StoredDocuments {
    var trusted = TrustedDocuments()
    trusted.areExclusive = acceptsTrustedDocumentsOnly
    var faults: [String] = []
    for (id, text) in trustedDocuments.sorted(by: { $0.key < $1.key }) {
      let document = Array(text.utf8)
      if let fault = TrustedDocuments.faults(in: document, executable, limits: limits.request).first {
        faults.append("The trusted document \(id) is invalid: \(fault.message)")
      } else if !trusted.insert(document, as: id) {
        faults.append("\(id) is the name of a trusted document and the hash of another one.")
      }
    }
    guard faults.isEmpty else { throw GraphQLSchemaError(description: faults.joined(separator: "\n")) }
    return StoredDocuments(trusted: trusted)
  }
}
