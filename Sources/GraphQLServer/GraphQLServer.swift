import Basics
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
///
/// A server has threads and sockets from its start to its shutdown. Once started, it serves until it is shut down, also
/// if the program releases its last reference to it.
public final class GraphQLServer<Context: Sendable>: Sendable {
  fileprivate typealias Handler = GraphQLHandler<ResolverService<Context>>

  /// What a start makes and a shutdown ends.
  struct Running: Sendable {
    fileprivate let group: EventLoopGroup
    fileprivate let server: HTTPServer<Handler>
    fileprivate let port: Int
    let sessions: OpenSessions
  }

  enum State {
    case new
    /// The task ends when the server has started.
    case started(Task<Running, any Error>)
    /// The task ends when the server has stopped.
    case stopped(Task<Void, Never>)
  }

  private let makeServer: @Sendable (OpenSessions) throws -> (EventLoopGroup, HTTPServer<Handler>)
  private let host: String
  private let path: String
  private let mutations = RunningMutations()
  let state = Mutex(State.new)

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
    let executable = try schema.executable(limits: options.limits)
    let handlerOptions = try options.handlerOptions(for: executable, sdl: schema.sdl)
    var http = HTTPServerOptions()
    http.limits.bodyBytes = options.routes.compactMap(\.bodyBytes).reduce(options.bodyBytes) { max($0, $1) }
    // Longer bodies are for the routes that accept them.
    http.limits.unadmittedBytes = handlerOptions.unadmittedBytes
    let routes = ServerRoutes(options.routes, endpoint: options.path)
    makeServer = { [http, mutations] sessions in
      DescriptorLimit.raise()
      let workers = try WorkerPool(threads: 1, queueLimit: 1024)
      let group = try options.threads.map { try EventLoopGroup(count: $0) } ?? EventLoopGroup()
      let server = HTTPServer<Handler>(group: group, host: options.host, port: options.port, options: http) { loop in
        let sources = EventSources()
        var loopOptions = handlerOptions
        loopOptions.workers = workers
        let handler = Handler(
          on: loop,
          ResolverService(
            executable,
            of: schema,
            isIntrospectionPublic: options.allowsIntrospection,
            sources: sources,
            mutations: MutationTasks(on: loop, countedBy: mutations),
            sessions: sessions,
            routes: routes,
            bodyBytes: options.bodyBytes,
            metrics: handlerOptions.metrics,
            onError: options.onError,
            makeContext: context
          ),
          options: loopOptions
        )
        sources.attach(to: handler.hub) { work in Task(executorPreference: loop) { await work() } }
        return handler
      }
      return (group, server)
    }
  }

  /// Starts the server, unless it has been started already.
  ///
  /// - Returns: The port that the server listens on.
  /// - Throws: `GraphQLServerStoppedError` if the server has been shut down. Another error if the address is in use or
  ///   not available: the server can then be started later.
  @discardableResult
  public func start() async throws -> Int { try await started().port }

  /// Starts the server, unless it has been started already, and serves until the process receives SIGINT or SIGTERM.
  /// Then shuts down. Returns when the server has stopped, also after a call of `shutdown(deadline:)`. Shuts down and
  /// returns when its task is cancelled, too.
  ///
  /// Prints the URL of the endpoint to the standard output.
  ///
  /// - Parameter deadline: The time that running requests have after a signal or a cancellation.
  /// - Throws: The errors of `start()`.
  public func run(deadline: Duration = .seconds(10)) async throws {
    try await run(deadline: deadline) { GraphQLServerLog.announce($0) }
  }

  /// - Parameter announce: Called with the URL of the endpoint once the signals are observed.
  package func run(deadline: Duration = .seconds(10), _ announce: @Sendable (String) -> Void) async throws {
    let running = try await started()
    let signals = try await running.group.loops[0].signals([SIGINT, SIGTERM])
    announce("http://\(host.hostInURL):\(running.port)\(path)")
    // A cancellation of the task ends the iteration, too.
    for await _ in signals { break }
    await shutdown(deadline: deadline)
  }

  /// Stops accepting connections, waits up to `deadline` for running requests, closes the connections of the others,
  /// and returns when the server has stopped. Every call waits for that, and the deadline of the first one applies. It
  /// also waits that long for resolvers of mutations, and for routes, whose clients have disconnected.
  ///
  /// A resolver that awaits this waits for its own request: its connection is closed at the deadline, without a
  /// response.
  public func shutdown(deadline: Duration = .seconds(10)) async {
    let shutdown = state.withLock { state -> Task<Void, Never> in
      let shutdown: Task<Void, Never>
      switch state {
      case .new: shutdown = Task {}
      case .started(let start): shutdown = Task { await self.end(start, deadline: deadline) }
      case .stopped(let first): return first
      }
      state = .stopped(shutdown)
      return shutdown
    }
    await shutdown.value
  }

  private func started() async throws -> Running {
    let start = state.withLock { state -> Task<Running, any Error>? in
      switch state {
      case .new:
        let start = Task { try await self.begin() }
        state = .started(start)
        return start
      case .started(let start): return start
      case .stopped: return nil
      }
    }
    guard let start else { throw GraphQLServerStoppedError() }
    return try await start.value
  }

  /// Starts the threads and listens. If that fails, releases them, so that the server can be started later.
  private func begin() async throws -> Running {
    do {
      let sessions = OpenSessions()
      let (group, server) = try makeServer(sessions)
      do {
        return Running(group: group, server: server, port: try await server.start(), sessions: sessions)
      } catch {
        await server.shutdown(deadline: .zero)
        await group.stopWithoutBlocking()
        throw error
      }
    } catch {
      state.withLock { state in
        if case .started = state { state = .new }
      }
      throw error
    }
  }

  private func end(_ start: Task<Running, any Error>, deadline: Duration) async {
    // A start that has failed has released what it made.
    guard let running = try? await start.value else { return }
    let end = ContinuousClock.now + deadline
    await running.server.shutdown(deadline: deadline)
    await mutations.waitUntilDone(within: ContinuousClock.now.duration(to: end))
    await running.group.stopWithoutBlocking()
  }
}

extension GraphQLServerOptions {
  /// The options of all handlers, without the workers, which a start makes.
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
      allowedHeaders: allowedHeaders,
      settings: "allowedOrigins and publicURL"
    )
    handler.batchSize = requestsPerBody
    handler.limits = limits.request
    handler.unadmittedBytes = bodyBytes
    // Every caller may send bodies of this length, whether it is known or not: longer ones are for routes.
    handler.admitsLongBodies = false
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
