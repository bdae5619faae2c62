import Assets
import Basics
import EventLoop
import GraphQLTransport
import HTTP
import HTTPServer
import Logging

/// The parts from which `Server.init` makes a server.
extension Server {
  /// The playground's page and files. Loaded once for all servers of a process.
  static let files = StaticFiles(Asset.all, page: .playgroundPage)

  static func makeServices(_ options: ServerOptions, log: Logger) async throws -> Services {
    // With the clock of a machine whose battery is empty, chores would go back to periods of that time.
    let now = options.clock.now()
    guard now >= HearthVersion.earliestTime else { throw WrongClock(time: now) }
    return try await Services(
      directory: options.dataDirectory,
      configuration: options.configuration,
      log: log,
      clock: options.clock,
      defersReads: options.defersReads
    )
  }

  /// Fills an empty data folder for a demonstration.
  ///
  /// - Returns: The people who can sign in; nil if the folder holds other data.
  static func prepareDemonstration(in services: Services, log: Logger) async throws -> Demonstration.People? {
    let people = try await Demonstration.prepare(services)
    if let people {
      log.notice("\(people.description)")
    } else {
      log.warning("--demo has no effect: the data folder already holds other data. Use an empty folder for the demo.")
    }
    return people
  }

  /// The playground's files, with a page that has the passwords of a demonstration's people.
  static func makeFiles(_ playground: StaticFiles, for people: Demonstration.People?) -> StaticFiles {
    guard let people else { return playground }
    var files = playground
    files.replacePage(by: .demonstrationPage(people: people.json))
    return files
  }

  /// What the handlers of all loops have in common.
  static func makeHandlerOptions(
    _ options: ServerOptions,
    services: Services,
    documents: StoredDocuments,
    files: StaticFiles,
    observation: Observation
  ) throws -> GraphQLHandlerOptions {
    let configuration = options.configuration
    var handler = GraphQLHandlerOptions(files: files, metrics: observation.metrics)
    handler.documents = documents
    handler.crossOrigin = CrossOrigin(
      configuration.allowedOrigins,
      publicURL: configuration.publicURL,
      host: options.host,
      settings: "HEARTH_PUBLIC_URL and HEARTH_ALLOWED_ORIGINS"
    )
    handler.batchSize = configuration.batchSize
    handler.limits = configuration.limits
    handler.log = observation.requestLog
    handler.tracing = observation.telemetry
    handler.connectionCounts = ConnectionCounts(limit: configuration.connectionsPerPerson)
    handler.unadmittedBytes = options.httpOptions.limits.unadmittedBytes
    // One thread is enough: parsing a large body or compressing a large response takes milliseconds, and
    // `receivedBytes` and `unsentResponses` bound the queue.
    handler.workers = try WorkerPool(threads: 1, queueLimit: 1024, priority: .nice(10))
    handler.throttle = LoopThrottle.Limits(share: Double(configuration.callerShare) / 100)
    handler.responses = ResponseCacheOptions(
      bytes: configuration.responseCacheBytes,
      counts: services.responseCacheCounts
    )
    handler.live = options.live
    return handler
  }

  /// The server that clients connect to. It is not started.
  static func makeHTTPServer(
    _ options: ServerOptions,
    group: EventLoopGroup,
    handlers: LoopHandlers,
    log: Logger
  ) -> HTTPServer<GraphQLHandler<HearthService>> {
    HTTPServer(
      group: group,
      host: options.host,
      port: options.port,
      options: options.httpOptions,
      exhausted: { error in
        log.warning(
          "New connections wait: the limit of open files (ulimit -n) is too low.",
          metadata: ["error": "\(error)"]
        )
      },
      makeHandler: handlers.make
    )
  }

  /// Why fewer connections are accepted than the options allow; nil if as many are.
  static func connectionNotice(_ options: ServerOptions, accepted: Int) -> String? {
    guard accepted < options.http.maximumConnections else { return nil }
    return """
      At most \(accepted) connections are accepted instead of \(options.http.maximumConnections): the limit of open \
      files (ulimit -Hn) is \(DescriptorLimit.current).
      """
  }

  /// What the commands of operators can see and change.
  ///
  /// - Parameter endpoint: the URL at which the server listens.
  static func makeControlledServer(
    _ server: HTTPServer<GraphQLHandler<HearthService>>,
    at endpoint: String,
    services: Services,
    delivery: Delivery,
    observation: Observation
  ) -> ControlledServer {
    ControlledServer(
      services: services,
      mail: delivery.mail,
      pushes: delivery.pushes,
      live: observation.metrics.live,
      version: HearthVersion.current,
      connections: { server.connectionCount },
      directory: services.data.directory,
      endpoint: "\(endpoint)/graphql",
      composer: delivery.composer,
      startedAt: observation.startedAt,
      worker: observation.worker
    )
  }
}
