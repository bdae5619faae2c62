import Basics
import EventLoop
import GraphQL
import HTTP
import HTTPServer
import WebSocket

/// WebSockets and event streams: connections that outlive a request.
extension GraphQLHandler {
  // MARK: Opening

  func openSocket(for request: HTTPRequest) -> HTTPAnswer {
    guard options.crossOrigin.admitsSocket(request) else {
      return .response(Rejection.originNotAllowed(options.crossOrigin.settings))
    }
    let handshake: WebSocketHandshake
    do throws(WebSocketHandshake.Rejection) {
      handshake = try WebSocketHandshake(request, subprotocols: ["graphql-transport-ws"])
    } catch {
      return .response(HTTPResponse(rejecting: error))
    }
    do throws(GraphQLError) {
      let caller = caller(of: request)
      let network = service.network(of: request, peer: request.peer)
      let socket = GraphQLSocket(
        self,
        caller: caller,
        network: network,
        place: try takePlace(in: network, at: caller.address),
        speaksProtocol: handshake.subprotocol != nil
      )
      return .webSocket(handshake, socket)
    } catch {
      return .response(Rejection.tooManyRequests(error))
    }
  }

  /// Admits a new connection, whose caller is not known yet, and takes its place; nil if the connections of the network
  /// are not limited.
  private func takePlace(in network: Payer?, at address: String?) throws(GraphQLError) -> AnonymousPlace? {
    if let rejected = service.admitConnection(from: address) { throw rejected }
    guard let network else { return nil }
    return try options.connectionCounts.takePlace(in: network)
  }

  func openEventStream(_ asked: GraphQLRequest, files: [UploadedFile], of request: HTTPRequest) -> HTTPAnswer {
    var asked = asked
    // An empty Last-Event-ID means that no event was received, and an empty position that the server has none.
    if let last = request[.lastEventID], !last.isEmpty { asked.resume = last.text }
    if asked.resume?.isEmpty == true { asked.resume = nil }
    asked.adoptIdempotencyKey(of: request)
    do throws(GraphQLError) {
      let caller = caller(of: request).forConnection()
      let place = try takePlace(in: service.network(of: request, peer: request.peer), at: caller.address)
      let operation = StreamedOperation(
        request: asked,
        files: files,
        caller: caller,
        isByGet: request.method == .get,
        incremental: MultipartFormat.acceptsPrevious(request) ? .previous : .current,
        trace: runner.makeTrace(of: request),
        traceParent: request.traceParent
      )
      let writer = GraphQLEventStream(self, operation: operation, place: place)
      return .stream(ResponseFormat.eventStreamHeaders, writer)
    } catch {
      return .response(Rejection.tooManyRequests(error))
    }
  }

  // MARK: Who it is

  /// Identifies the caller of a connection and registers the connection with its session; nil if that requires waiting.
  func knownIdentity(of connection: some LiveConnection, _ caller: Caller) -> PositionedIdentity? {
    let known: Service.Context?
    do {
      known = try service.knownContext(for: caller)
    } catch {
      // The caller is not identified again: that would fail again, and report the error twice.
      return PositionedIdentity(identity: .rejected(runner.failure(for: error).first))
    }
    guard let context = known else { return nil }
    defer { service.finish(context) }
    guard context.answersAtOnce else { return nil }
    let identity = remember(connection, in: context)
    return PositionedIdentity(identity: identity, position: try? service.position(of: context))
  }

  func identity(of connection: some LiveConnection, _ caller: Caller) async -> PositionedIdentity {
    do {
      let context = try await service.context(for: caller)
      defer { service.finish(context) }
      let identity = remember(connection, in: context)
      let position = try? await context.inPasses { try service.position(of: context) }
      return PositionedIdentity(identity: identity, position: position)
    } catch {
      return PositionedIdentity(identity: .rejected(runner.failure(for: error).first))
    }
  }

  /// Ends the connections of the session that were opened with other rights. So those of a session on this loop all
  /// have the same.
  ///
  /// There must be no suspension between reading the session, or checking it again (`checkCaller()`), and this call: a
  /// session that ends later finds the connection here.
  private func remember(_ connection: some LiveConnection, in context: Service.Context) -> ConnectionIdentity {
    let identity = service.identity(of: context)
    let id = ObjectIdentifier(connection)
    guard let session = identity.session else { return identity }
    let open = connections[session.id]
    if let rights = open?.values.first?.session.rights, rights != session.rights {
      // Another process can have changed them, which the service then finds out later.
      end([session.id], change: .rightsChanged)
      if open?[id] != nil { return .rejected(SessionChange.rightsChanged.error) }
    } else if open?[id] != nil {
      return identity
    }
    do throws(GraphQLError) {
      try options.connectionCounts.enter(session)
    } catch {
      return .rejected(error)
    }
    connections[session.id, default: [:]][id] = OpenConnection(connection: connection, session: session)
    return identity
  }

  func forget(_ connection: some LiveConnection, session: Int64?) {
    guard let session, let open = connections[session]?.removeValue(forKey: ObjectIdentifier(connection)) else {
      return
    }
    if connections[session]?.isEmpty == true { connections[session] = nil }
    options.connectionCounts.leave(open.session)
  }

  /// Ends the connections, on this loop, of the sessions that have changed.
  func endChangedSessions() {
    for (sessions, change) in sessionChanges.takeAll() {
      end(sessions ?? Array(connections.keys), change: change)
    }
  }

  private func end(_ sessions: [Int64], change: SessionChange) {
    for session in sessions {
      guard let ended = connections.removeValue(forKey: session) else { continue }
      for open in ended.values {
        options.connectionCounts.leave(open.session)
        open.connection.notify(of: change)
      }
    }
  }

  // MARK: Operations

  /// Runs the operation of a WebSocket as far as possible without waiting.
  func begin(
    _ asked: GraphQLRequest,
    from caller: Caller,
    into sink: any SubscriptionSink
  ) -> OperationRun<Service> {
    runner.begin(asked, from: runner.makeOrigin(of: nil, caller: caller, sink: sink, incremental: .current))
  }

  /// Runs the operation of an event stream as far as possible without waiting. `adopt` receives the identity of the
  /// caller; the errors that it returns end the operation. `position` receives the current position in the feed before
  /// a subscription is created.
  func begin<Stream: LiveConnection & SubscriptionSink>(
    _ operation: StreamedOperation,
    into stream: Stream,
    adopt: @escaping @Sendable (ConnectionIdentity) -> GraphQLErrors?,
    position: @escaping @Sendable (String) -> Void
  ) -> OperationRun<Service> {
    var origin = runner.makeOrigin(of: operation, sink: stream)
    origin.whenIdentified = { context in
      guard let context = context as? Service.Context else {
        preconditionFailure("A runner passes a context of its service.")
      }
      return adopt(self.remember(stream, in: context))
    }
    origin.whenPositioned = position
    return runner.begin(operation.request, from: origin)
  }

  func finish(_ pending: PendingRequest<Service>) async -> OperationOutcome { await runner.finish(pending) }

  func abandon(_ pending: PendingRequest<Service>) { runner.abandon(pending) }
}
