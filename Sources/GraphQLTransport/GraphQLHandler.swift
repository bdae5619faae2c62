import Bytes
import EventLoop
import GraphQL
import HTTP
import HTTPServer

/// Answers the requests of one loop: GraphQL over HTTP, the playground's files, whether the server is well.
package actor GraphQLHandler<Service: GraphQLService>: HTTPHandler {
  nonisolated let loop: EventLoop
  nonisolated let options: LiveOptions
  /// The path of GraphQL over HTTP.
  let endpoint: ArraySlice<UInt8>
  /// The path for requests that are only to be validated.
  let validationPath: ArraySlice<UInt8>
  let service: Service
  /// Documents as those see them who may look at the schema, and as the others do.
  var open: PreparedDocuments
  var closed: PreparedDocuments
  let executor: Executor
  let limits: RequestLimits
  let metrics: Metrics
  /// The subscriptions that are open on this loop. Whoever has events publishes them here, on the loop.
  package nonisolated let hub: SubscriptionHub
  /// Connections that stand for a session, by it.
  var connections: [Int64: [ObjectIdentifier: OpenConnection]] = [:]
  /// Of all loops.
  let connectionCounts: ConnectionCounts
  let files: StaticFiles
  let crossOrigin: CrossOrigin
  /// The most requests that one body may have.
  let batchSize: Int
  /// Bytes of a body that are read for anonymous callers, for the message about it.
  let unadmittedBytes: Int
  /// For large requests; nil reads them on the loop.
  let workers: WorkerPool?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  package init(
    on loop: EventLoop,
    _ service: sending Service,
    path: String = "/graphql",
    files: StaticFiles,
    documents: StoredDocuments = StoredDocuments(),
    crossOrigin: CrossOrigin = CrossOrigin(),
    batchSize: Int = 1,
    limits: RequestLimits = RequestLimits(),
    metrics: Metrics,
    connectionCounts: ConnectionCounts = ConnectionCounts(),
    unadmittedBytes: Int = HTTPLimits().unadmittedBytes,
    workers: WorkerPool? = nil,
    options: LiveOptions = LiveOptions()
  ) {
    self.loop = loop
    endpoint = ArraySlice(path.utf8)
    validationPath = ArraySlice("\(path)/validate".utf8)
    self.unadmittedBytes = unadmittedBytes
    self.workers = workers
    self.crossOrigin = crossOrigin
    self.batchSize = batchSize
    self.options = options
    self.connectionCounts = connectionCounts
    self.service = service
    self.files = files
    self.metrics = metrics
    self.limits = limits
    open = PreparedDocuments(service.executable, stored: documents, limits: limits, allowsIntrospection: true)
    closed = PreparedDocuments(service.executable, stored: documents, limits: limits, allowsIntrospection: false)
    executor = Executor(service.executable, limits: limits.execution)
    hub = SubscriptionHub(Executor(service.executable, limits: limits.execution)) { work in
      Task(executorPreference: loop) { await work() }
    }
    service.whenSessionsChange { [weak self] sessions, change in
      Task(executorPreference: loop) { await self?.end(sessions, change) }
    }
  }

  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    crossOrigin.allowing(await answer(to: request), to: request)
  }

  private func answer(to request: HTTPRequest) async -> HTTPResponse {
    if request.method == .options, let allowed = crossOrigin.preflight(request) { return allowed }
    if request.path == endpoint { return await respondAtEndpoint(to: request) }
    // OPTIONS of the server as a whole (RFC 9110, section 9.3.7).
    if request.targetForm == .asterisk { return Refusal.methods }
    if request.path == validationPath { return await respondToValidation(of: request) }
    guard let response = await respondElsewhere(to: request) else {
      return .text(.notFound, "There is nothing here. GraphQL is at \(endpoint.text).\n")
    }
    return request.method == .get || request.method == .head ? response : Refusal.readOnly
  }

  /// What is at the request's path, for those who only look; nil where there is nothing.
  private func respondElsewhere(to request: HTTPRequest) async -> HTTPResponse? {
    if let file = files.response(to: request) { return file }
    if request.path.equals("/health") { return .text(.ok, "ok\n") }
    if request.path.equals("/ready") {
      return service.reasonNotReady().map { .text(.serviceUnavailable, "not ready: \($0)\n") } ?? .text(.ok, "ready\n")
    }
    if request.path.equals("/metrics") { return .text(.ok, metrics.text) }
    return await service.respond(to: request)
  }
}
