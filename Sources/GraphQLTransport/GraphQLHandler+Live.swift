import EventLoop
import GraphQL
import HTTP
import HTTPServer
import WebSocket

/// Connections that outlive a request.
extension GraphQLHandler {
  // MARK: Opening

  /// A WebSocket or an event stream, where the request asks for one at the endpoint; nil for every other request.
  func openLive(for request: HTTPRequest) -> HTTPAnswer? {
    if WebSocketHandshake.isAskedFor(by: request) { return openSocket(for: request) }
    guard ResponseFormat.takesEventStream(request), let answer = openEventStream(for: request) else { return nil }
    switch consume answer {
    case .response(let refusal): return .response(crossOrigin.allowing(refusal, to: request))
    case .stream(let headers, let writer): return .stream(crossOrigin.allowing(headers, to: request), writer)
    case .webSocket(let handshake, let socket): return .webSocket(handshake, socket)
    }
  }

  private func openSocket(for request: HTTPRequest) -> HTTPAnswer {
    guard crossOrigin.admitsSocket(request) else { return .response(Refusal.originNotAllowed(crossOrigin.settings)) }
    do throws(WebSocketHandshake.Refusal) {
      let handshake = try WebSocketHandshake(request, subprotocols: ["graphql-transport-ws"])
      let address = service.address(of: request)
      if let refused = service.refusalOfConnection(from: address) { return .response(Refusal.tooManyRequests(refused)) }
      let socket = GraphQLSocket(
        self,
        caller: Caller(request, address: address),
        speaksProtocol: handshake.subprotocol != nil
      )
      return .webSocket(handshake, socket)
    } catch {
      return .response(HTTPResponse(refusing: error))
    }
  }

  /// Nil where the answer is to be a JSON text: for queries and mutations of clients that take either.
  private func openEventStream(for request: HTTPRequest) -> HTTPAnswer? {
    let format = ResponseFormat.preferred(by: request)
    do {
      var asked: GraphQLRequest
      switch request.method {
      case .post where request.isJSON: asked = try GraphQLRequest(json: request.body)
      case .get where request.query != nil: asked = try GraphQLRequest(form: FormFields(request.query ?? []))
      default: return nil
      }
      if format != nil && !isSubscription(asked) { return nil }
      // An empty one says that there was none.
      if let last = request[.lastEventID], !last.isEmpty { asked.resume = last.text }
      let address = service.address(of: request)
      if let refused = service.refusalOfConnection(from: address) { return .response(Refusal.tooManyRequests(refused)) }
      let writer = GraphQLEventStream(
        self,
        asked,
        from: Caller(request, address: address),
        isReadOnly: request.method == .get
      )
      return .stream(ResponseFormat.eventStreamHeaders, writer)
    } catch let error as MalformedRequest {
      return format == nil ? .response(Refusal.badRequest(error.message, .json)) : nil
    } catch {
      return format == nil ? .response(Refusal.badRequest("\(error)", .json)) : nil
    }
  }

  // MARK: Who it is

  /// Finds out who opened a connection, and remembers it by their session; nil where that takes waiting.
  func admitAtOnce(_ connection: some LiveConnection, _ caller: Caller) -> Standing? {
    guard let context = try? service.knownContext(for: caller) else { return nil }
    return remember(connection, context)
  }

  func admit(_ connection: some LiveConnection, _ caller: Caller) async -> Standing {
    do {
      return remember(connection, try await service.context(for: caller))
    } catch let error as GraphQLErrors {
      return Standing(fault: error.errors.first)
    } catch {
      return Standing(fault: GraphQLError("Something went wrong on our side.", code: .internalError))
    }
  }

  /// Nothing may be awaited between the look at the session and this: whatever ends later finds the connection here.
  private func remember(_ connection: some LiveConnection, _ context: Service.Context) -> Standing {
    defer { service.finish(context) }
    let standing = service.standing(of: context)
    let id = ObjectIdentifier(connection)
    guard let session = standing.session, connections[session]?[id] == nil else { return standing }
    if let person = standing.person, !connectionCounts.enter(person) {
      return Standing(fault: connectionCounts.refusal)
    }
    connections[session, default: [:]][id] = OpenConnection(connection: connection, person: standing.person)
    return standing
  }

  func forget(_ connection: some LiveConnection, session: Int64?) {
    guard let session, let open = connections[session]?.removeValue(forKey: ObjectIdentifier(connection)) else {
      return
    }
    if connections[session]?.isEmpty == true { connections[session] = nil }
    if let person = open.person { connectionCounts.leave(person) }
  }

  /// Whatever stands for these sessions on this loop ends.
  func end(_ sessions: [Int64], _ change: SessionChange) {
    for session in sessions {
      for open in connections.removeValue(forKey: session)?.values.map({ $0 }) ?? [] {
        if let person = open.person { connectionCounts.leave(person) }
        open.connection.tell(of: change)
      }
    }
  }

  // MARK: Operations

  /// Executes a query or mutation, or makes the subscription; nil where that takes waiting, and nothing has been done.
  func startAtOnce(
    _ asked: GraphQLRequest,
    from caller: Caller,
    into sink: any SubscriptionSink,
    isReadOnly: Bool = false
  ) -> OperationStart? {
    guard !asked.variables.isLarge, let context = try? service.knownContext(for: caller) else { return nil }
    defer { service.finish(context) }
    return begin(asked, prepare(asked, nil, for: context), context, sink, isReadOnly: isReadOnly)
  }

  func start(
    _ asked: GraphQLRequest,
    from caller: Caller,
    into sink: any SubscriptionSink,
    isReadOnly: Bool = false
  ) async -> OperationStart {
    do {
      let context = try await service.context(for: caller)
      defer { service.finish(context) }
      let prepared = try await prepareAnySize(asked, for: context)
      if let begun = begin(asked, prepared, context, sink, isReadOnly: isReadOnly) { return begun }
      metrics.count(.request)
      let (operation, variables) = try prepared.get()
      return .response(
        await executor.execute(operation, variables: variables, context: context, onError: asked.onError)
      )
    } catch is WorkerPool.Overloaded {
      return .refusal([.overloaded])
    } catch let error as GraphQLErrors {
      metrics.count(.refusal)
      return .refusal(error.errors)
    } catch {
      metrics.count(.failure)
      return .refusal([GraphQLError("Something went wrong on our side.", code: .internalError)])
    }
  }

  /// What needs no waiting.
  private func begin(
    _ asked: GraphQLRequest,
    _ prepared: Prepared,
    _ context: Service.Context,
    _ sink: any SubscriptionSink,
    isReadOnly: Bool
  ) -> OperationStart? {
    switch prepared {
    case .failure(let refused):
      metrics.count(.request)
      metrics.count(.refusal)
      return .refusal(refused.errors)
    case .success(let (operation, variables)):
      if operation.type == .mutation && isReadOnly {
        return .refusal([GraphQLError("GET can only read: send mutations by POST.", code: .methodNotAllowed)])
      }
      guard operation.type == .subscription else {
        let response = executor.executeAtOnce(
          operation,
          variables: variables,
          context: context,
          onError: asked.onError
        )
        guard let response else { return nil }
        metrics.count(.request)
        return .response(response)
      }
      metrics.count(.request)
      return subscribe(asked, operation, variables, context, sink)
    }
  }

  private func subscribe(
    _ asked: GraphQLRequest,
    _ operation: PreparedOperation,
    _ variables: VariableValues,
    _ context: Service.Context,
    _ sink: any SubscriptionSink
  ) -> OperationStart {
    let service = service
    do throws(GraphQLErrors) {
      return .subscription(
        try hub.subscription(
          operation,
          variables: variables,
          onError: asked.onError,
          resume: asked.resume,
          sink: sink,
          context: context,
          makeContext: { try service.context(following: context) },
          finishContext: { if let context = $0 as? Service.Context { service.finish(context) } }
        )
      )
    } catch {
      return .refusal(error.errors)
    }
  }
}
