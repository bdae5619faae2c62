import EventLoop
import GraphQL
import HTTP
import HTTPServer
import WebSocket

/// Connections that outlive a request.
extension GraphQLHandler {
  // MARK: Opening

  func openSocket(for request: HTTPRequest) -> HTTPAnswer {
    guard crossOrigin.admitsSocket(request) else { return .response(Refusal.originNotAllowed(crossOrigin.settings)) }
    do throws(WebSocketHandshake.Refusal) {
      let handshake = try WebSocketHandshake(request, subprotocols: ["graphql-transport-ws"])
      let address = service.address(of: request)
      if let refused = service.refusalOfConnection(from: address) { return .response(Refusal.tooManyRequests(refused)) }
      let socket = GraphQLSocket(
        self,
        caller: Caller(request, address: address, keepsRequest: Service.keepsRequest),
        speaksProtocol: handshake.subprotocol != nil
      )
      return .webSocket(handshake, socket)
    } catch {
      return .response(HTTPResponse(refusing: error))
    }
  }

  func openEventStream(_ asked: GraphQLRequest, of request: HTTPRequest) -> HTTPAnswer {
    var asked = asked
    // An empty one says that there was none.
    if let last = request[.lastEventID], !last.isEmpty { asked.resume = last.text }
    let address = service.address(of: request)
    if let refused = service.refusalOfConnection(from: address) { return .response(Refusal.tooManyRequests(refused)) }
    let writer = GraphQLEventStream(
      self,
      asked,
      from: Caller(request, address: address, keepsRequest: Service.keepsRequest),
      isReadOnly: request.method == .get
    )
    return .stream(ResponseFormat.eventStreamHeaders, writer)
  }

  // MARK: Who it is

  /// Identifies who opened a connection, and remembers it by their session; nil where that takes waiting.
  func knownStanding(of connection: some LiveConnection, _ caller: Caller) -> Standing? {
    guard let context = try? service.knownContext(for: caller) else { return nil }
    defer { service.finish(context) }
    return remember(connection, context)
  }

  func standing(of connection: some LiveConnection, _ caller: Caller) async -> Standing {
    do {
      let context = try await service.context(for: caller)
      defer { service.finish(context) }
      return remember(connection, context)
    } catch let error as GraphQLErrors {
      return Standing(fault: error.errors.first)
    } catch {
      return Standing(fault: .ourFault)
    }
  }

  /// Nothing may be awaited between the look at the session and this: whatever ends later finds the connection here.
  private func remember(_ connection: some LiveConnection, _ context: Service.Context) -> Standing {
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

  /// Runs an operation that a WebSocket carries as far as that goes without waiting.
  func begin(
    _ asked: GraphQLRequest,
    from caller: Caller,
    into sink: any SubscriptionSink
  ) -> OperationRun<Service> {
    runner.begin(asked, from: RequestOrigin(caller: caller, sink: sink))
  }

  /// Runs the operation of an event stream as far as that goes without waiting. The stream learns its standing on the
  /// way; what it returns is why the operation is not run.
  func begin<Stream: LiveConnection & SubscriptionSink>(
    _ asked: GraphQLRequest,
    from caller: Caller,
    isReadOnly: Bool,
    into stream: Stream,
    _ adopt: @escaping @Sendable (Standing) -> GraphQLErrors?
  ) -> OperationRun<Service> {
    let origin = RequestOrigin<Service>(caller: caller, isReadOnly: isReadOnly, sink: stream) { context in
      adopt(self.remember(stream, context))
    }
    return runner.begin(asked, from: origin)
  }

  func finish(_ pending: PendingRequest<Service>) async -> OperationOutcome { await runner.finish(pending) }
}
