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
  let sessionChanges = WaitingSessionChanges()
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
    service.whenSessionsChange { [weak self, sessionChanges] sessions, change in
      sessionChanges.append((sessions, change))
      Task(executorPreference: loop) { await self?.endChangedSessions() }
    }
    hub.turnWillBegin = { [weak self, sessionChanges] in
      if !sessionChanges.isEmpty { self?.assumeOnLoop { $0.endChangedSessions() } }
    }
  }

  package func answer(_ request: HTTPRequest) -> HTTPAnswer {
    let isEndpoint = request.hasPath(endpoint)
    if isEndpoint, WebSocketHandshake.isAskedFor(by: request) { return openSocket(for: request) }
    guard options.crossOrigin.concerns(request) else { return route(request, isEndpoint: isEndpoint) }
    if request.method == .options {
      let methods = isEndpoint ? nil : service.route(of: request)?.methods
      if let allowed = options.crossOrigin.preflight(request, methods: methods) {
        return .response(options.crossOrigin.allowing(allowed, to: request))
      }
    }
    return options.crossOrigin.allowing(route(request, isEndpoint: isEndpoint), to: request)
  }

  private func route(_ request: HTTPRequest, isEndpoint: Bool) -> HTTPAnswer {
    if isEndpoint { return answerAtEndpoint(request) }
    if !service.isIntrospectionPublic, request.hasPath(schemaPath) { return answerWithSchema(request) }
    // OPTIONS of the server as a whole (RFC 9110, section 9.3.7).
    if request.targetForm == .asterisk { return .response(Rejection.methods) }
    if request.hasPath(validationPath) { return validate(request) }
    if let route = service.route(of: request) {
      if let limit = route.bodyBytes, request.bodyLength > limit {
        return .response(bodyTooLong(request, limit: limit))
      }
      return .deferred { request in .response(await route.respond(request)) }
    }
    if request.method == .get, let streamed = service.streamedResponse(to: request, on: loop) {
      return .stream(streamed.headers, streamed.writer)
    }
    return .deferred { request in await self.answerElsewhere(request) }
  }

  /// The schema, where introspection is limited to certain callers: its text says the same.
  private func answerWithSchema(_ request: HTTPRequest) -> HTTPAnswer {
    let caller = caller(of: request)
    return .deferred { request in
      guard await self.allowsSchema(caller) else { return .response(Rejection.schemaNotAllowed) }
      return await self.answerElsewhere(request)
    }
  }

  private func allowsSchema(_ caller: Caller) async -> Bool {
    guard let context = try? await service.context(for: caller) else { return false }
    defer { service.finish(context) }
    return service.allowsIntrospection(context)
  }

  private func answerElsewhere(_ request: HTTPRequest) async -> HTTPAnswer {
    if request.method == .post, let response = await respondToForm(request) { return .response(response) }
    guard request.method == .get || request.method == .head else { return .response(await rejectWrite(request)) }
    if let answer = await resource(of: request) { return answer }
    return .response(Rejection.notFound(endpoint: options.path))
  }

  /// The response to a request that is neither GET nor HEAD: the resource at its path can only be read.
  func rejectWrite(_ request: HTTPRequest) async -> HTTPResponse {
    if let _ = await resource(of: request) { return Rejection.onlyGet }
    return Rejection.notFound(endpoint: options.path)
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
  private func resource(of request: HTTPRequest) async -> HTTPAnswer? {
    if let file = options.files.response(to: request) { return .response(file) }
    if let redirect = options.files.redirect(request, endpoint: endpoint[...].text) { return .response(redirect) }
    if request.path.equals("/health") { return .response(.text(.ok, text: "ok\n")) }
    if request.path.equals("/ready") { return .response(readinessResponse()) }
    if request.path.equals("/metrics") { return .response(await metricsResponse()) }
    return await service.answer(request)
  }

  private func readinessResponse() -> HTTPResponse {
    if let reason = service.reasonNotReady() { return .text(.serviceUnavailable, text: "not ready: \(reason)\n") }
    return .text(.ok, text: service.isReadOnly ? "ready, read-only\n" : "ready\n")
  }
}
