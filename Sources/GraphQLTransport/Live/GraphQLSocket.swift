import Bytes
import EventLoop
import GraphQL
import HTTPServer
import WebSocket

/// One WebSocket that speaks graphql-transport-ws. What the protocol asks for is `SocketProtocol`'s to say; here it is
/// done.
actor GraphQLSocket<Service: GraphQLService>: WebSocketDelegate, LiveConnection {
  private struct OpenOperation {
    let sink: SocketOperation<Service>
    /// Nil for queries and mutations, and as long as it is not known what it is.
    var subscription: Subscription?
    var task: Task<Void, Never>?
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let handler: GraphQLHandler<Service>
  private let options: LiveOptions
  private let speaksProtocol: Bool
  private var caller: Caller
  private var session: Int64?
  private var connection: WebSocketConnection?
  private var conversation = SocketProtocol()
  private var operations: [String: OpenOperation] = [:]
  /// Runs out when the client has not said who it is in time, and later when its token has expired.
  private var timer: LoopTimer?
  /// Why it is closed as soon as what runs has been answered.
  private var parting: CloseReason?

  /// - Parameter caller: who opened it, as far as the handshake says.
  init(_ handler: GraphQLHandler<Service>, caller: Caller, speaksProtocol: Bool) {
    loop = handler.loop
    options = handler.options
    self.handler = handler
    self.caller = caller.forConnection().with(authorization: nil)
    self.speaksProtocol = speaksProtocol
  }

  // MARK: The connection

  func webSocketDidOpen(_ connection: WebSocketConnection) {
    self.connection = connection
    guard speaksProtocol else {
      return close(CloseReason(.subprotocolNotAcceptable, "Subprotocol not acceptable"))
    }
    timer = LoopTimer(on: loop) { [self] in
      assumeIsolated { $0.timerDidFire() }
    }
    timer?.start(after: UInt64(options.initialization.wholeMilliseconds))
  }

  private func timerDidFire() {
    if conversation.isAcknowledged {
      part(CloseReason(.forbidden, "TOKEN_EXPIRED: The access token has expired."))
    } else {
      close(CloseReason(.initializationTimeout, "Connection initialisation timeout"))
    }
  }

  func webSocketDidReceive(text: [UInt8]) {
    guard let workers = handler.workers, text.count > LargeRequest.bytes else {
      return act(on: ClientMessage.read(text))
    }
    receive(large: text, workers)
  }

  /// Reads a large message off the loop, as large bodies of HTTP are. Those that follow wait.
  private func receive(large text: [UInt8], _ workers: WorkerPool) {
    guard let connection else { return }
    var reservation: ByteReservation?
    connection.assumeIsolated { reservation = $0.reserve(text.count) }
    guard let reservation else { return }
    connection.assumeIsolated { $0.holdMessages() }
    Task(executorPreference: loop) { [self] in
      let message = try? await workers.run { ClientMessage.read(text) }
      withExtendedLifetime(reservation) {}
      await didRead(message)
    }
  }

  /// Nil for a message that there was no room to read.
  private func didRead(_ message: Result<ClientMessage, MalformedRequest>?) {
    guard let connection else { return }
    if let message {
      act(on: message)
    } else {
      close(CloseReason(.tryAgainLater, "OVERLOADED: The server has too many large requests."))
    }
    connection.assumeIsolated { $0.releaseMessages() }
  }

  private func act(on message: Result<ClientMessage, MalformedRequest>) {
    switch conversation.receive(message) {
    case .nothing: break
    case .authenticate(let token): authenticate(token)
    case .renew(let token): renew(token)
    case .pong(let payload): send(ServerMessage.pong(payload: payload))
    case .start(let id, let request): start(id, request)
    case .refuse(let id, let malformed):
      send(ServerMessage.error(id, [GraphQLError(malformed.message, code: .badRequest)]))
    case .stop(let id): stop(id)
    case .close(let reason): close(reason)
    }
  }

  func webSocketDidReceive(binary: [UInt8]) {
    close(CloseReason(.invalidMessage, "Messages are text."))
  }

  func webSocketDidDrain() {
    for operation in operations.values { operation.subscription?.resume() }
  }

  func webSocketShouldGoAway() {
    part(CloseReason(.goingAway, "SHUTTING_DOWN: reconnect in \(options.retryDelay) ms"))
  }

  func webSocketDidClose() {
    connection = nil
    timer?.close()
    timer = nil
    let open = operations
    operations = [:]
    for operation in open.values { cancel(operation) }
    forget(session)
  }

  private func forget(_ session: Int64?) { handler.assumeIsolated { $0.forget(self, session: session) } }

  private func send(_ message: [UInt8]) { connection?.assumeIsolated { $0.send(text: message) } }

  private func close(_ reason: CloseReason) { connection?.assumeIsolated { $0.close(reason) } }

  /// Ends subscriptions, answers what runs, and closes.
  private func part(_ reason: CloseReason) {
    parting = parting ?? reason
    for (id, operation) in operations where operation.subscription != nil { stop(id) }
    closeIfDone()
  }

  private func closeIfDone() {
    if let parting, operations.isEmpty { close(parting) }
  }

  // MARK: Who it is

  private func authenticate(_ token: ArraySlice<UInt8>?) {
    let asking = asking(token)
    identify(asking) { socket, standing in
      if let fault = standing.fault { return socket.close(fault.closeReason) }
      socket.conversation.acknowledge()
      socket.adopt(standing, asking)
      socket.send(ServerMessage.connectionAck(position: standing.position))
    }
  }

  /// A client whose token is about to expire sends the next one with a `ping`.
  private func renew(_ token: ArraySlice<UInt8>) {
    let asking = asking(token)
    identify(asking) { socket, standing in
      if let fault = standing.fault { return socket.close(fault.closeReason) }
      guard socket.session == nil || socket.session == standing.session else {
        socket.forget(standing.session)
        return socket.close(CloseReason(.forbidden, "FORBIDDEN: The token is of another session."))
      }
      socket.adopt(standing, asking)
      socket.send(ServerMessage.pong(payload: Array(#"{"renewed":true}"#.utf8)[...]))
    }
  }

  private func asking(_ token: ArraySlice<UInt8>?) -> Caller {
    caller.with(authorization: token)
  }

  private func identify(
    _ asking: Caller,
    _ body: @escaping @Sendable (isolated GraphQLSocket<Service>, Standing) -> Void
  ) {
    if let standing = handler.assumeIsolated({ $0.knownStanding(of: self, asking) }) { return body(self, standing) }
    Task(executorPreference: loop) { [self] in
      await finishIdentifying(handler.standing(of: self, asking), body)
    }
  }

  private func finishIdentifying(
    _ standing: Standing,
    _ body: @Sendable (isolated GraphQLSocket<Service>, Standing) -> Void
  ) {
    guard connection != nil else {
      // Closed meanwhile: `forget` came too early.
      return forget(standing.session)
    }
    body(self, standing)
  }

  private func adopt(_ standing: Standing, _ caller: Caller) {
    self.caller = caller
    session = standing.session
    if let person = standing.person {
      connection?.assumeIsolated { $0.raiseLimits(for: ByteOwner(person: person)) }
    }
    guard let rest = standing.expiresIn else { return timer?.stop() ?? () }
    timer?.start(after: UInt64(max(0, rest) + options.expiryGrace.wholeMilliseconds))
  }

  func sessionDidChange(_ change: SessionChange) { part(change.error.closeReason) }

  // MARK: Operations

  /// The message of an operation is charged if it has more: an open operation takes as much in any case.
  private static var freeBytes: Int { 4096 }

  private func start(_ id: String, _ request: GraphQLRequest) {
    guard let connection, parting == nil else { return conversation.finish(id) }
    guard operations.count < options.maximumOperations else {
      conversation.finish(id)
      let error = GraphQLError(
        "This connection has \(options.maximumOperations) operations open: no more at a time.",
        code: .tooManyOperations
      )
      return send(ServerMessage.error(id, [error]))
    }
    var reservation: ByteReservation?
    let bytes = request.textBytes
    if bytes > Self.freeBytes {
      connection.assumeIsolated { reservation = $0.reserve(bytes) }
      // The connection closes.
      guard reservation != nil else { return }
    }
    let sink = SocketOperation(id, of: self, over: connection, reservation)
    operations[id] = OpenOperation(sink: sink)
    var run: OperationRun<Service>?
    let (handler, caller) = (handler, caller)
    handler.assumeIsolated { run = $0.begin(request, from: caller, into: sink) }
    switch run.take() {
    case .done(let outcome): proceed(outcome, sink)
    case .pending(let pending):
      operations[id]?.task = Task(executorPreference: loop) { [self] in
        await proceed(handler.finish(pending), sink)
      }
    case nil: break
    }
  }

  private func proceed(_ outcome: consuming OperationOutcome, _ sink: SocketOperation<Service>) {
    // Stopped meanwhile, or closed: there is nobody to answer.
    guard operations[sink.id]?.sink === sink else { return }
    switch consume outcome {
    case .response(let response):
      sink.answer(response.array())
      finish(sink)
    case .subscription(let subscription):
      operations[sink.id]?.subscription = subscription
      operations[sink.id]?.task = nil
      if parting != nil { stop(sink.id) } else { subscription.start() }
      closeIfDone()
    case .failure(let failure):
      send(ServerMessage.error(sink.id, failure.errors))
      finish(sink)
    }
  }

  func subscriptionDidEnd(_ sink: SocketOperation<Service>, with errors: [GraphQLError]) {
    guard operations[sink.id]?.sink === sink else { return }
    send(errors.isEmpty ? ServerMessage.complete(sink.id) : ServerMessage.error(sink.id, errors))
    finish(sink)
  }

  private func finish(_ sink: SocketOperation<Service>) {
    operations[sink.id] = nil
    conversation.finish(sink.id)
    closeIfDone()
  }

  private func stop(_ id: String) {
    guard let operation = operations.removeValue(forKey: id) else { return }
    conversation.finish(id)
    cancel(operation)
    closeIfDone()
  }

  private func cancel(_ operation: OpenOperation) {
    operation.task?.cancel()
    operation.subscription?.cancel()
  }

  /// An event came while too many are not taken yet.
  func isTooSlow() {
    close(CloseReason(.tryAgainLater, "SLOW_CONSUMER: Events are not taken as fast as they come."))
  }
}
