import Bytes
import EventLoop
import GraphQL
import HTTP
import HTTPServer
import JSON
import WebSocket

/// Handles the requests of one loop: GraphQL over HTTP, the playground's files, health checks and metrics.
package actor GraphQLHandler<Service: GraphQLService>: HTTPHandler {
  package nonisolated let loop: EventLoop
  nonisolated let options: GraphQLHandlerOptions
  /// The path of GraphQL over HTTP.
  let endpoint: [UInt8]
  /// The path for requests that are validated without being executed.
  let validationPath: [UInt8]
  /// The path of the schema as text.
  private let schemaPath: [UInt8]
  let service: Service
  let runner: OperationRunner<Service>
  /// The open subscriptions of this loop. Publish events to it on the loop.
  package nonisolated let hub: SubscriptionHub
  /// The open connections of each session.
  var connections: [Int64: [ObjectIdentifier: OpenConnection]] = [:]
  var accepted = AcceptMemory()
  var json = JSONMemory()
  /// For responses of the loop.
  let gzip = GzipCompressor(.fast)

  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  package nonisolated func checkOnLoop() { loop.checkIsolated() }

  package init(on loop: EventLoop, _ service: sending Service, options: GraphQLHandlerOptions) {
    self.loop = loop
    self.options = options
    endpoint = Array(options.path.utf8)
    validationPath = Array("\(options.path)/validate".utf8)
    schemaPath = Array("\(options.path)/schema.graphql".utf8)
    self.service = service
    let executor = Executor(service.executable, limits: options.limits.execution)
    hub = SubscriptionHub(executor, maximumOperationBytes: options.live.maximumOperationBytes) { work in
      Task(executorPreference: loop) { await work() }
    } pause: {
      await loop.waitForNextTurn()
    }
    let live = options.metrics.live
    var counted = 0
    hub.countDidChange = { count in
      live.add(count - counted, to: .subscriptions)
      counted = count
    }
    runner = OperationRunner(service, executor: executor, hub: hub, options: options)
    service.whenSessionsChange { [weak self] sessions, change in
      Task(executorPreference: loop) { await self?.end(sessions, change: change) }
    }
  }

  package func answer(_ request: HTTPRequest) -> HTTPAnswer {
    let isEndpoint = request.hasPath(endpoint)
    if isEndpoint, WebSocketHandshake.isAskedFor(by: request) { return openSocket(for: request) }
    guard options.crossOrigin.concerns(request) else { return route(request, isEndpoint: isEndpoint) }
    if request.method == .options, let allowed = options.crossOrigin.preflight(request) {
      return .response(options.crossOrigin.allowing(allowed, to: request))
    }
    return options.crossOrigin.allowing(route(request, isEndpoint: isEndpoint), to: request)
  }

  private func route(_ request: HTTPRequest, isEndpoint: Bool) -> HTTPAnswer {
    if isEndpoint { return answerAtEndpoint(request) }
    if !service.isIntrospectionPublic, request.hasPath(schemaPath) { return answerWithSchema(request) }
    // OPTIONS of the server as a whole (RFC 9110, section 9.3.7).
    if request.targetForm == .asterisk { return .response(Rejection.methods) }
    if request.hasPath(validationPath) { return validate(request) }
    if request.method == .get, let streamed = service.streamedResponse(to: request, on: loop) {
      return .stream(streamed.headers, streamed.writer)
    }
    return .deferred { request in .response(await self.respondElsewhere(to: request)) }
  }

  /// The schema, where introspection is limited to certain callers: its text says the same.
  private func answerWithSchema(_ request: HTTPRequest) -> HTTPAnswer {
    let caller = caller(of: request)
    return .deferred { request in
      guard await self.allowsSchema(caller) else { return .response(Rejection.schemaNotAllowed) }
      return .response(await self.respondElsewhere(to: request))
    }
  }

  private func allowsSchema(_ caller: Caller) async -> Bool {
    guard let context = try? await service.context(for: caller) else { return false }
    defer { service.finish(context) }
    return service.allowsIntrospection(context)
  }

  private func respondElsewhere(to request: HTTPRequest) async -> HTTPResponse {
    if request.method == .post, let response = await respondToForm(request) { return response }
    return await respondWithResource(to: request)
  }

  /// Responds with the resource at the path of the request, which can only be read.
  func respondWithResource(to request: HTTPRequest) async -> HTTPResponse {
    guard let response = await resource(of: request) else { return Rejection.notFound(endpoint: options.path) }
    return request.method == .get || request.method == .head ? response : Rejection.readOnly
  }

  private func metricsResponse() async -> HTTPResponse {
    var list = MetricList()
    options.metrics.add(to: &list)
    await service.addMetrics(to: &list)
    var body = ByteBuffer()
    body.append(PrometheusText(list).text)
    return HTTPResponse(.ok, headers: Self.metricsHeaders, body: body)
  }

  private static var metricsHeaders: HeaderBlock {
    HeaderBlock(trusted: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store"])
  }

  /// The resource at the path of the request, for GET and HEAD; nil if there is none.
  private func resource(of request: HTTPRequest) async -> HTTPResponse? {
    if let file = options.files.response(to: request) { return file }
    if let redirect = options.files.redirect(request, endpoint: endpoint[...].text) { return redirect }
    if request.path.equals("/health") { return .text(.ok, text: "ok\n") }
    if request.path.equals("/ready") {
      return service.reasonNotReady().map { .text(.serviceUnavailable, text: "not ready: \($0)\n") }
        ?? .text(.ok, text: service.isReadOnly ? "ready, read-only\n" : "ready\n")
    }
    if request.path.equals("/metrics") { return await metricsResponse() }
    return await service.respond(to: request)
  }
}
