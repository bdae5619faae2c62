import Assets
import Bytes
import EventLoop
import GraphQL
import HTTP
import HTTPServer

/// Answers the requests of one loop: GraphQL over HTTP, the playground's files, whether the server is well.
package actor GraphQLHandler<Service: GraphQLService>: HTTPHandler {
  nonisolated let loop: EventLoop
  nonisolated let options: LiveOptions
  let service: Service
  /// Documents as those see them who may look at the schema, and as the others do.
  private(set) var open: PreparedDocuments
  private(set) var closed: PreparedDocuments
  let executor: Executor
  let limits: RequestLimits
  let metrics: Metrics
  /// The subscriptions that are open on this loop. Whoever has events publishes them here, on the loop.
  package nonisolated let hub: SubscriptionHub
  /// Connections that stand for a session, by it.
  var connections: [Int64: [ObjectIdentifier: OpenConnection]] = [:]
  /// Of all loops.
  let connectionCounts: ConnectionCounts
  private let files: StaticFiles
  let crossOrigin: CrossOrigin
  /// The most requests that one body may have.
  let batchSize: Int

  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  package init(
    on loop: EventLoop,
    _ service: sending Service,
    files: StaticFiles,
    documents: StoredDocuments = StoredDocuments(),
    crossOrigin: CrossOrigin = CrossOrigin(),
    batchSize: Int = 1,
    limits: RequestLimits = RequestLimits(),
    metrics: Metrics,
    connectionCounts: ConnectionCounts = ConnectionCounts(),
    options: LiveOptions = LiveOptions()
  ) {
    self.loop = loop
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
    if request.path.equals("/graphql") { return await respondAtEndpoint(to: request) }
    // OPTIONS of the server as a whole (RFC 9110, section 9.3.7).
    if request.targetForm == .asterisk { return Refusal.methods }
    if request.path.equals(Self.validationPath) { return await respondToValidation(of: request) }
    guard let response = await respondElsewhere(to: request) else {
      return .text(.notFound, "There is nothing here. GraphQL is at /graphql.\n")
    }
    return request.method == .get || request.method == .head ? response : Refusal.readOnly
  }

  /// What is at the request's path, for those who only look; nil where there is nothing.
  private func respondElsewhere(to request: HTTPRequest) async -> HTTPResponse? {
    if let file = files.response(to: request) { return file }
    if request.path.equals("/health") { return .text(.ok, "ok\n") }
    if request.path.equals("/ready") {
      return service.isReady() ? .text(.ok, "ready\n") : .text(.serviceUnavailable, "not ready\n")
    }
    if request.path.equals("/metrics") { return .text(.ok, metrics.text) }
    return await service.respond(to: request)
  }

  // MARK: The endpoint

  private func respondAtEndpoint(to request: HTTPRequest) async -> HTTPResponse {
    switch request.method {
    case .post: return await respondToPost(request)
    case .get, .head:
      if request.query == nil { return files.page(for: request) ?? Refusal.noQuery(request) }
      return await respondToGet(request)
    case .options: return Refusal.methods
    case .other: return Refusal.unknownMethod(request.methodText)
    }
  }

  /// GraphQL over HTTP, section 5.4.
  private func respondToPost(_ request: HTTPRequest) async -> HTTPResponse {
    guard let format = ResponseFormat.preferred(by: request) else { return Refusal.notAcceptable }
    do {
      if Self.isJSON(request) {
        if batchSize > 1 && Self.isList(request.body) { return try await respondToBatch(request, format) }
        let asked = try GraphQLRequest(json: request.body)
        return await respond(to: asked, try asked.variables() ?? .null, of: request, format)
      }
      guard let form = Self.form(request) else { return Refusal.unsupportedMediaType(format) }
      guard Self.hasPreflightHeader(request) else { return Refusal.noPreflightHeader(format) }
      let asked = try MultipartRequest(request.body, contentType: form)
      return await respond(to: asked.request, asked.variables, files: asked.files, of: request, format)
    } catch {
      return Refusal.badRequest(error.message, format)
    }
  }

  /// Only who is signed in may send more than fits into a request without files.
  package func admit(_ request: HTTPRequest) async -> HTTPResponse? {
    guard let format = ResponseFormat.preferred(by: request) else { return Refusal.notAcceptable }
    guard request.method == .post, request.path.equals("/graphql"), Self.form(request) != nil else {
      return Refusal.unsupportedMediaType(format)
    }
    guard Self.hasPreflightHeader(request) else { return Refusal.noPreflightHeader(format) }
    do {
      return try await service.admitsFiles(of: request) ? nil : Refusal.signedInOnly(format)
    } catch {
      metrics.count(.failure)
      return Refusal.internalError(format)
    }
  }

  /// GraphQL over HTTP, section 5.3: queries only.
  private func respondToGet(_ request: HTTPRequest) async -> HTTPResponse {
    guard let format = ResponseFormat.preferred(by: request) else { return Refusal.notAcceptable }
    do {
      let fields = try FormFields(request.query ?? [])
      let asked = try GraphQLRequest(form: fields)
      return await respond(to: asked, try asked.variables() ?? .null, of: request, format)
    } catch let error as MalformedRequest {
      return Refusal.badRequest(error.message, format)
    } catch {
      return Refusal.badRequest("\(error)", format)
    }
  }

  // MARK: At once

  /// The common case: a query by POST of somebody who is known, of which no field waits.
  package func respondAtOnce(to request: HTTPRequest) -> HTTPAnswer? {
    guard request.path.equals("/graphql") else { return nil }
    if let live = openLive(for: request) { return live }
    guard request.method == .post, Self.isJSON(request), !crossOrigin.concerns(request),
      let format = ResponseFormat.preferred(by: request), let asked = try? GraphQLRequest(json: request.body)
    else { return nil }
    let known = service.isOpenToIntrospection ? open.known(asked) : nil
    if let known, known.type != .query { return nil }
    // What is the same for everybody is answered without asking who it is for. Variables, if any, have to be looked at.
    if !asked.hasVariables, let known, let answer = format.constantAnswer(of: known, to: request) {
      metrics.count(.request)
      return .response(answer)
    }
    guard let context = try? service.knownContext(for: Caller(request)) else { return nil }
    defer { service.finish(context) }
    guard let given = try? asked.variables() ?? .null else { return nil }
    switch prepare(asked, known, given, for: context) {
    case .failure(let refused):
      metrics.count(.request)
      return .response(refusal(refused, format))
    case .success(let (operation, variables)):
      guard
        let body = executor.executeAtOnce(
          operation,
          variables: variables,
          context: context,
          onError: asked.onError
        )
      else { return nil }
      metrics.count(.request)
      return .response(format.answer(body, to: request))
    }
  }

  // MARK: With waiting

  private func respond(
    to asked: GraphQLRequest,
    _ variables: InputValue,
    files: [UploadedFile] = [],
    of request: HTTPRequest,
    _ format: ResponseFormat
  ) async -> HTTPResponse {
    switch await execute(asked, variables, files: files, of: request) {
    case .executed(let body): return format.answer(body, to: request)
    case .refused(let refused): return refusal(refused, format)
    case .mutationByGet: return Refusal.mutationByGet(format)
    case .failed: return Refusal.internalError(format)
    }
  }

  /// Executes one operation, whatever carries it.
  func execute(
    _ asked: GraphQLRequest,
    _ variables: InputValue,
    files: [UploadedFile] = [],
    of request: HTTPRequest
  ) async -> Outcome {
    metrics.count(.request)
    do {
      let context = try await service.context(for: Caller(request, address: service.address(of: request)), files)
      defer { service.finish(context) }
      switch prepare(asked, nil, variables, for: context) {
      case .failure(let refused): return .refused(refused)
      case .success(let (operation, coerced)):
        if operation.type == .subscription { return .refused(.notByHTTP) }
        if operation.type != .query && request.method != .post { return .mutationByGet }
        return .executed(
          await executor.execute(operation, variables: coerced, context: context, onError: asked.onError)
        )
      }
    } catch {
      metrics.count(.failure)
      return .failed
    }
  }

  /// What became of an operation.
  enum Outcome: ~Copyable {
    case executed(ByteBuffer)
    case refused(GraphQLErrors)
    case mutationByGet
    case failed
  }

  private func refusal(_ refused: GraphQLErrors, _ format: ResponseFormat) -> HTTPResponse {
    metrics.count(.refusal)
    // Clients of Apollo's protocol look for this in answers that are not failures of HTTP.
    let isOffer = refused.errors.first?.code == .persistedQueryNotFound
    return HTTPResponse(
      isOffer ? .ok : format.refusalStatus,
      headers: format.headers,
      body: ErrorResponse.bytes(refused.errors)
    )
  }

  /// Whether it would be a subscription, whoever asks.
  func isSubscription(_ asked: GraphQLRequest) -> Bool {
    let operation = try? service.isOpenToIntrospection ? open.prepared(asked) : closed.prepared(asked)
    return operation?.type == .subscription
  }

  func prepare(
    _ asked: GraphQLRequest,
    _ known: PreparedOperation?,
    _ given: InputValue,
    for context: Service.Context
  ) -> Result<(PreparedOperation, VariableValues), GraphQLErrors> {
    Result { () throws(GraphQLErrors) in
      let operation: PreparedOperation
      let allowsIntrospection = service.allowsIntrospection(context)
      if let known {
        operation = known
      } else if allowsIntrospection {
        operation = try open.prepared(asked)
      } else {
        operation = try closed.prepared(asked)
      }
      let variables = try VariableCoercion.coerce(
        given,
        to: operation.variables,
        in: service.executable.schema,
        suggests: allowsIntrospection,
        maximumErrors: limits.execution.variableErrors
      )
      return (operation, variables)
    }
  }

  static func isJSON(_ request: HTTPRequest) -> Bool {
    guard let contentType = request[.contentType], request[.contentEncoding] == nil else { return false }
    if contentType.equals("application/json") { return true }
    guard let type = MediaType(contentType), type.essence == "application/json" else { return false }
    return type["charset"].map { $0.lowercased() == "utf-8" } ?? true
  }

  private static func form(_ request: HTTPRequest) -> MediaType? {
    guard let type = request[.contentType].flatMap({ MediaType($0) }), type.essence == "multipart/form-data" else {
      return nil
    }
    return type
  }

  /// A page of another site can make a browser send a form without asking first, but not with such a header.
  private static func hasPreflightHeader(_ request: HTTPRequest) -> Bool {
    for name: StaticString in ["graphql-require-preflight", "apollo-require-preflight", "x-apollo-operation-name"] {
      if let value = request[name], !value.isEmpty { return true }
    }
    return false
  }
}

extension GraphQLErrors {
  fileprivate static let notByHTTP = GraphQLErrors([
    GraphQLError(
      "A subscription is answered over WebSocket (graphql-transport-ws), or as `Accept: text/event-stream`.",
      code: .notAcceptable
    )
  ])
}
