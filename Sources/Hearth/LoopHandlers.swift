import EventLoop
import GraphQL
import GraphQLTransport
import HTTP
import HTTPServer
import Synchronization

/// Makes the handler of each event loop, from what the handlers share.
final class LoopHandlers: Sendable {
  private let services: Services
  private let executable: ExecutableSchema
  private let documents: StoredDocuments
  private let page: Server.ServedPage
  private let crossOrigin: CrossOrigin
  private let connectionCounts: ConnectionCounts
  private let throttle: LoopThrottle.Limits
  private let responses: ResponseCacheOptions
  private let unadmittedBytes: Int
  private let live: LiveOptions
  private let metrics: Metrics
  private let serverMetrics: ServerMetrics
  private let log: RequestLog?
  private let telemetry: TelemetryExporter?
  /// One thread is enough: parsing a large body takes milliseconds, and `receivedBytes` bounds the queue.
  private let workers: WorkerPool
  /// Close the readers of the loops.
  private let closing = Mutex<[@Sendable () async -> Void]>([])

  init(
    _ options: ServerOptions,
    services: Services,
    executable: ExecutableSchema,
    documents: StoredDocuments,
    page: Server.ServedPage,
    metrics: Metrics,
    serverMetrics: ServerMetrics,
    log: RequestLog?,
    telemetry: TelemetryExporter?
  ) throws {
    let configuration = options.configuration
    self.services = services
    self.executable = executable
    self.documents = documents
    self.page = page
    self.metrics = metrics
    self.serverMetrics = serverMetrics
    self.log = log
    self.telemetry = telemetry
    crossOrigin = CrossOrigin(
      configuration.allowedOrigins,
      publicURL: configuration.publicURL,
      host: options.host,
      settings: "HEARTH_PUBLIC_URL and HEARTH_ALLOWED_ORIGINS"
    )
    connectionCounts = ConnectionCounts(limit: configuration.connectionsPerPerson)
    throttle = LoopThrottle.Limits(share: Double(configuration.callerShare) / 100)
    responses = ResponseCacheOptions(bytes: configuration.responseCacheBytes, counts: services.responseCacheCounts)
    unadmittedBytes = options.httpOptions.limits.unadmittedBytes
    live = options.live
    workers = try WorkerPool(threads: 1, queueLimit: 1024, priority: .nice(10))
    try services.followOthers { [connectionCounts] in connectionCounts.sessions }
  }

  func make(on loop: EventLoop) -> GraphQLHandler<HearthService> {
    let service = HearthService(
      services,
      executable: executable,
      on: loop,
      requestTimes: page.requestTimes
    ) { [serverMetrics] in await serverMetrics.add(to: &$0) }
    whenClosing(on: loop) { service.close() }
    let handler = GraphQLHandler(
      on: loop,
      service,
      files: page.files,
      documents: documents,
      crossOrigin: crossOrigin,
      batchSize: services.configuration.batchSize,
      limits: services.configuration.limits,
      metrics: metrics,
      log: log,
      tracing: telemetry,
      connectionCounts: connectionCounts,
      unadmittedBytes: unadmittedBytes,
      workers: workers,
      throttle: throttle,
      responses: responses,
      options: live
    )
    services.feed.attach(handler.hub, on: loop)
    let hub = handler.hub
    whenClosing(on: loop) { Feed.detach(hub) }
    return handler
  }

  /// - Parameter body: called on the loop's thread.
  private func whenClosing(on loop: EventLoop, _ body: @escaping () -> Void) {
    // Only called on the loop's thread.
    nonisolated(unsafe) let body = body
    closing.withLock { closing in
      closing.append { await Task(executorPreference: loop) { body() }.value }
    }
  }

  /// Closes the readers of all loops, and detaches their subscriptions from the feed. Must be called before the loops
  /// end.
  func close() async {
    let closing = closing.withLock { closing in
      defer { closing = [] }
      return closing
    }
    for close in closing { await close() }
  }
}
