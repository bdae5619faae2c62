import Assets
import EventLoop
import Glibc
import GraphQL
import GraphQLTransport
import HTTP
import HTTPServer
import Logging
import Synchronization

/// A running server: the data, the event loops and the port.
package final class Server: Sendable {
  let services: Services
  let group: EventLoopGroup
  private let server: HTTPServer<GraphQLHandler<HearthService>>
  private let mail: MailDelivery
  let pushes: PushDelivery
  private let control: HTTPServer<ControlHandler>?
  private let readers: OpenReaders
  private let directory: String
  /// Written from `runUntilSignal` on.
  let requestLog: RequestLog?
  private let probing: Task<Void, Never>
  /// Nil if nothing is exported.
  let telemetry: TelemetryExporter?
  private let metricsExport: Task<Void, Never>?
  private let log: Logger
  /// The port on which the server listens.
  package let port: Int
  /// Loaded once for all servers of a process.
  private static let files = StaticFiles(Asset.all, page: .playgroundPage)
  /// How long a shutdown waits for running requests.
  private static let deadline = Duration.seconds(10)

  /// Opens the data and starts serving.
  package init(_ options: ServerOptions, log: Logger) async throws {
    self.log = log
    let executable = try HearthSchema.executable(isSubgraph: options.configuration.isSubgraph)
    var trusted =
      try options.configuration.trustedDocuments.map {
        try TrustedDocumentFiles.read($0, executable: executable, limits: options.configuration.limits)
      } ?? TrustedDocuments()
    trusted.areExclusive = options.configuration.acceptedDocuments == .trusted
    if options.configuration.appURL == nil { PageDocument.insert(into: &trusted) }
    let documents = StoredDocuments(trusted: trusted)
    var ownConfiguration = options.configuration
    if options.isDemonstration, ownConfiguration.requestTimes == nil { ownConfiguration.requestTimes = .signedIn }
    var requestTimes = ownConfiguration.requestTimes ?? .nobody
    let services = try await Services(
      directory: options.dataDirectory,
      configuration: ownConfiguration,
      log: log,
      clock: options.clock,
      defersReads: options.defersReads
    )
    self.services = services
    var files = Self.files
    if options.isDemonstration {
      if let people = try await Demonstration.prepare(services) {
        files.replacePage(by: .demonstrationPage(people: people.json))
        log.notice("\(people.description)")
      } else {
        requestTimes = options.configuration.requestTimes ?? .nobody
        log.warning("--demo has no effect: the data folder already holds other data. Use an empty folder for the demo.")
      }
    }
    let metrics = Metrics(prefix: "hearth")
    let configuration = options.configuration
    let crossOrigin = CrossOrigin(
      configuration.allowedOrigins,
      publicURL: configuration.publicURL,
      host: options.host,
      settings: "HEARTH_PUBLIC_URL and HEARTH_ALLOWED_ORIGINS"
    )
    group = try options.loops.map { try EventLoopGroup(count: $0) } ?? EventLoopGroup()
    let live = options.live
    let throttle = LoopThrottle.Limits(share: Double(configuration.callerShare) / 100)
    let connectionCounts = ConnectionCounts(limit: configuration.connectionsPerPerson)
    var http = options.http
    http.limits.formBytes = configuration.uploadBytes
    http.limits.unadmittedBytes = configuration.anonymousBodyBytes
    http.unidentifiedMessageBytes = configuration.anonymousBodyBytes
    http.receivedBytes = configuration.receivedBytes
    http.unsentResponses = configuration.unsentResponses
    let unadmittedBytes = http.limits.unadmittedBytes
    // One thread is enough: parsing a large body takes milliseconds, and `receivedBytes` bounds the queue.
    let workers = try WorkerPool(threads: 1, queueLimit: 1024, niceness: 10)
    let (pageFiles, measuredCallers) = (files, requestTimes)
    let reportExhaustion = { @Sendable (error: SystemError) in
      log.warning(
        "New connections wait: the limit of open files (ulimit -n) is too low.",
        metadata: ["error": "\(error)"]
      )
    }
    let requestLog = configuration.requestLog.isOn ? RequestLog(configuration.requestLog) : nil
    self.requestLog = requestLog
    let telemetry = try TelemetryExporter(configuration.telemetry, version: HearthVersion.current, log: log)
    self.telemetry = telemetry
    let probe = LoopDelayProbe(group.loops)
    let controlWorker = try WorkerPool(threads: 1, queueLimit: 16, niceness: 5)
    let serverMetrics = ServerMetrics(
      of: services,
      in: options.dataDirectory,
      version: HearthVersion.current,
      probe: probe,
      log: requestLog,
      telemetry: telemetry,
      worker: controlWorker
    )
    let readers = OpenReaders()
    self.readers = readers
    server = HTTPServer(
      group: group,
      host: options.host,
      port: options.port,
      options: http,
      exhausted: reportExhaustion
    ) { loop in
      let service = HearthService(services, executable: executable, on: loop, requestTimes: measuredCallers) {
        await serverMetrics.add(to: &$0)
      }
      readers.add(service, on: loop)
      let handler = GraphQLHandler(
        on: loop,
        service,
        files: pageFiles,
        documents: documents,
        crossOrigin: crossOrigin,
        batchSize: configuration.batchSize,
        limits: configuration.limits,
        metrics: metrics,
        log: requestLog,
        tracing: telemetry,
        connectionCounts: connectionCounts,
        unadmittedBytes: unadmittedBytes,
        workers: workers,
        throttle: throttle,
        options: live
      )
      services.feed.attach(handler.hub, on: loop)
      return handler
    }
    port = try await server.start()
    if let notice = Self.networkNotice(options) { log.warning("\(notice)") }
    let composer = MailComposer(
      // Never the host of a request: its sender could choose where the link in another person's mail leads.
      links: MailLinks(
        baseURL: configuration.appURL ?? configuration.publicURL ?? "http://\(options.host):\(port)"
      ),
      sender: Mailbox(name: configuration.appName, address: configuration.mailSender),
      appName: configuration.appName,
      templates: configuration.mailTemplates,
      defaultLanguage: configuration.defaultLanguage,
      key: services.identifierKey,
      limits: services.rateLimits
    )
    mail = try MailDelivery(
      services.mail,
      database: services.database,
      clock: services.clock,
      log: log,
      transport: (options.configuration.mail ?? .folder(options.dataDirectory + "/outbox")).transport,
      compose: composer.compose
    )
    pushes = try PushDelivery(
      services.pushes,
      database: services.database,
      clock: services.clock,
      log: log,
      senders: services.pushSenders,
      compose: PushComposer(cipher: services.cipher, defaultLanguage: configuration.defaultLanguage).compose
    )
    directory = options.dataDirectory
    let clients = server
    // Weak, because the server's handlers own the metrics.
    serverMetrics.countConnections { [weak clients] in clients?.connectionCount ?? 0 }
    serverMetrics.observe(pushes)
    probing = probe.start()
    metricsExport = telemetry.map { telemetry in
      telemetry.exportMetrics(every: configuration.telemetry.metricsInterval) { list in
        metrics.add(to: &list)
        await serverMetrics.add(to: &list)
      }
    }
    let controlled = ControlledServer(
      services: services,
      mail: mail,
      pushes: pushes,
      live: metrics.live,
      version: HearthVersion.current,
      connections: { clients.connectionCount },
      directory: directory,
      endpoint: "http://\(options.host):\(port)/graphql",
      composer: composer,
      worker: controlWorker
    )
    control = await ControlSocket.start(for: controlled, on: group.loops[0])
    services.start()
  }

  /// Records the signals that end a server if one arrives before `runUntilSignal` observes them. Must be called first.
  package static func rememberSignals() {
    EarlySignals.remember([SIGTERM, SIGINT, SIGHUP])
    // A file size limit, as set by `ulimit -f`, must cause an error that can be reported instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Why the networks of clients cannot be distinguished, as far as the settings show; nil if they can.
  static func networkNotice(_ options: ServerOptions) -> String? {
    guard options.configuration.clientAddressHeader == nil else { return nil }
    let isLoopback = options.host == "localhost" || options.host == "::1" || options.host.hasPrefix("127.")
    // The server itself does not speak TLS, so a proxy terminates it.
    let hasProxy = options.configuration.publicURL?.hasPrefix("https:") ?? false
    if isLoopback {
      return """
        Clients' networks cannot be distinguished: the server listens on loopback, and HEARTH_CLIENT_ADDRESS_HEADER \
        is not set. Rate limits count by account and in total only. Set it when there is a proxy in front.
        """
    }
    return hasProxy
      ? """
      Clients' networks cannot be distinguished: HEARTH_PUBLIC_URL belongs to a proxy, and \
      HEARTH_CLIENT_ADDRESS_HEADER is not set. Rate limits count all clients as the proxy's network: set it to the \
      header that the proxy sends.
      """ : nil
  }

  /// Runs until the first SIGTERM, SIGINT or SIGHUP (which a closing terminal sends). Running requests are then
  /// completed and the data is closed.
  ///
  /// - Parameter announce: called once the signals are observed, so that a process that learns that the server is
  ///   ready can end it immediately.
  package func runUntilSignal(_ announce: () throws -> Void) async throws {
    let endsWithTerminal = !EventLoop.ignoresSignal(SIGHUP)
    let signals = try await group.loops[0].signals(endsWithTerminal ? [SIGTERM, SIGINT, SIGHUP] : [SIGTERM, SIGINT])
    if let early = EarlySignals.take() {
      log.info("Shutting down before serving.", metadata: ["signal": "\(early)"])
      return await shutdown()
    }
    try announce()
    // After the line that scripts wait for.
    try requestLog?.start(writingTo: STDOUT_FILENO)
    for await number in signals {
      log.info("Shutting down.", metadata: ["signal": "\(number)"])
      break
    }
    await shutdown()
  }

  /// Returns when delivery of all due mail has been attempted.
  func deliverMail() async { await mail.deliver() }

  /// Returns when delivery of all due notifications has been attempted.
  func deliverPushes() async { await pushes.deliver() }

  package func shutdown() async {
    if let control {
      ControlSocket.remove(from: directory)
      await control.shutdown(deadline: Self.deadline)
    }
    await server.shutdown(deadline: Self.deadline)
    probing.cancel()
    metricsExport?.cancel()
    await readers.close()
    group.stop()
    requestLog?.stop()
    telemetry?.stop()
    await mail.stop()
    await pushes.stop()
    await services.close()
  }
}

/// The readers of the loops.
private final class OpenReaders: Sendable {
  private let closing = Mutex<[@Sendable () async -> Void]>([])

  func add(_ service: HearthService, on loop: EventLoop) {
    // Only used on the loop's thread.
    nonisolated(unsafe) let service = service
    closing.withLock { closing in
      closing.append { await Task(executorPreference: loop) { service.close() }.value }
    }
  }

  /// Must be called before the loops end.
  func close() async {
    let closing = closing.withLock { closing in
      defer { closing = [] }
      return closing
    }
    for close in closing { await close() }
  }
}

package struct ServerOptions: Sendable {
  package var host = "127.0.0.1"
  /// 0 lets the system choose a free port.
  package var port = 8080
  package var dataDirectory = "data"
  /// Nil for one per core.
  package var loops: Int?
  package var isDemonstration = false
  package var configuration = Configuration()
  package var http = HTTPServerOptions()
  package var live = LiveOptions()
  var clock = Clock.system
  /// Whether requests read in passes, though SQLite could answer at once. For tests.
  var defersReads = false

  package init() {}
}
