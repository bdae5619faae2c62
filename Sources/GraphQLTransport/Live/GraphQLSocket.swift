import Basics
import Bytes
import EventLoop
import GraphQL
import HTTPServer
import WebSocket

/// A WebSocket with the graphql-transport-ws protocol. `SocketProtocol` decides what to do, and this actor does it.
actor GraphQLSocket<Service: GraphQLService>: WebSocketDelegate, LiveConnection {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let handler: GraphQLHandler<Service>
  nonisolated var options: LiveOptions { handler.options.live }
  private let speaksProtocol: Bool
  var caller: Caller
  /// The network or person whose turn it is when the socket's long messages are parsed.
  var lane: WorkLane
  /// Nil once the caller is signed in.
  var place: AnonymousPlace?
  var session: Int64?
  var connection: WebSocketConnection?
  var protocolState = SocketProtocol()
  private var operations = OpenOperations<Service>()
  /// Fires when the client has not sent `connection_init` in time, and later when its access token has expired.
  var timer: LoopTimer?
  /// Why the connection closes once the running operations have their responses.
  private var pendingClose: CloseReason?
  /// Why later messages wait.
  var hold = MessageHold()

  /// - Parameters:
  ///   - caller: The caller, as far as the handshake says.
  ///   - network: of the caller; nil if it is not charged.
  init(
    _ handler: GraphQLHandler<Service>,
    caller: Caller,
    network: Payer?,
    place: AnonymousPlace?,
    speaksProtocol: Bool
  ) {
    loop = handler.loop
    self.handler = handler
    self.caller = caller.forConnection().with(authorization: nil)
    lane = WorkLane(network)
    self.place = place
    self.speaksProtocol = speaksProtocol
  }

  // MARK: The connection

  func webSocketDidOpen(_ connection: WebSocketConnection) {
    self.connection = connection
    handler.options.metrics.live.add(1, to: .webSockets)
    guard speaksProtocol else {
      return close(CloseReason(.subprotocolNotAcceptable, text: "Subprotocol not acceptable"))
    }
    timer = LoopTimer(on: loop) { [self] in
      assumeOnLoop { $0.timerDidFire() }
    }
    timer?.start(after: UInt64(options.initialization.millisecondsRoundedUp))
  }

  private func timerDidFire() {
    if protocolState.isNew {
      close(CloseReason(.initializationTimeout, text: "Connection initialisation timeout"))
    } else if protocolState.isAcknowledged {
      closeWhenIdle(CloseReason(.forbidden, text: "TOKEN_EXPIRED: The access token has expired."))
    }
    // Otherwise the client has sent `connection_init` in time, and waits until it is identified.
  }

  func act(on message: Result<ClientMessage, BadRequestError>) {
    switch protocolState.receive(message, isOpen: { operations.contains($0) }) {
    case .nothing: break
    case .authenticate(let token):
      guard !Service.keepsRequest || keepParameters(of: message) else { return }
      authenticate(token)
    case .renew(let token): renew(token)
    case .pong(let payload): answerPing(with: ServerMessage.pong(payload: payload))
    case .start(let id, let request): start(id, request: request)
    case .stop(let id): stop(id)
    case .close(let reason): close(reason)
    }
  }

  /// Whether there are operations that may become subscriptions.
  var isBeginning: Bool { operations.all.contains { $0.pending?.isExecuting == false } }

  func webSocketDidReceive(binary: [UInt8]) {
    close(CloseReason(.invalidMessage, text: "Messages are text."))
  }

  func webSocketDidDrain() {
    for operation in operations.all {
      operation.subscription?.resume()
      if operation.task == nil { continueParts(of: operation.sink) }
    }
  }

  func webSocketShouldGoAway() {
    closeWhenIdle(CloseReason(.goingAway, text: "SHUTTING_DOWN: reconnect in \(options.retryDelay) ms"))
  }

  func webSocketDidClose() {
    if connection != nil { handler.options.metrics.live.add(-1, to: .webSockets) }
    connection = nil
    timer?.close()
    timer = nil
    endTaskWait()
    let open = operations.all
    operations = OpenOperations()
    for operation in open { cancel(operation) }
    place = nil
    forget(session)
  }

  func forget(_ session: Int64?) { handler.assumeOnLoop { $0.forget(self, session: session) } }

  func send(_ message: [UInt8]) { connection?.assumeOnLoop { $0.send(text: message) } }

  func close(_ reason: CloseReason) { connection?.assumeOnLoop { $0.close(reason) } }

  /// Ends the subscriptions, and closes once the running operations have their responses.
  func closeWhenIdle(_ reason: CloseReason) {
    pendingClose = pendingClose ?? reason
    for operation in operations.all where operation.subscription != nil { stop(operation.sink.id) }
    closeIfDone()
  }

  private func closeIfDone() {
    if let pendingClose, operations.all.isEmpty { close(pendingClose) }
  }

  // MARK: Operations

  /// Messages of at most this size are not charged: an open operation takes as much memory in any case.
  private static var freeBytes: Int { 4096 }

  private func start(_ id: String, request: GraphQLRequest) {
    guard let connection, pendingClose == nil else { return }
    guard operations.all.count < options.maximumOperations else {
      let error = GraphQLError(
        "This connection has \(options.maximumOperations) open operations, which is the maximum.",
        code: .tooManyOperations
      )
      return send(ServerMessage.error(id, errors: [error]))
    }
    var reservation: ByteReservation?
    let bytes = request.textBytes
    if bytes > Self.freeBytes {
      connection.assumeOnLoop { reservation = $0.reserve(bytes) }
      // The connection is closing.
      guard reservation != nil else { return }
    }
    let sink = SocketOperation(id, of: self, over: connection, reservation)
    operations.add(OpenOperation(sink: sink))
    var run: OperationRun<Service>?
    let (handler, caller) = (handler, caller)
    handler.assumeOnLoop { run = $0.begin(request, from: caller, into: sink) }
    switch run.take() {
    case .done(let outcome): proceed(outcome, sink: sink)
    case .pending(let pending):
      operations[id]?.pending = pending
      pending.stepDidChange = { [self] in assumeOnLoop { $0.operationDidProceed() } }
      taskWillBegin()
      operations[id]?.task = Task(executorPreference: loop) { [self] in await finish(pending, sink: sink) }
    case nil: break
    }
  }

  private func finish(_ pending: PendingRequest<Service>, sink: SocketOperation<Service>) async {
    // Unless it was stopped before its turn.
    if isOpen(sink) {
      proceed(await handler.finish(pending), sink: sink)
    } else {
      handler.assumeOnLoop { $0.abandon(pending) }
    }
    taskDidEnd()
  }

  private func proceed(_ outcome: consuming OperationOutcome, sink: SocketOperation<Service>) {
    // The operation was stopped or the connection closed in the meantime.
    guard operations[sink.id]?.sink === sink else { return }
    operations[sink.id]?.pending = nil
    defer { sendHeldPong() }
    switch consume outcome {
    case .response(let response):
      sink.answer(response)
      finish(sink)
    case .kept(let held):
      sink.answer(ByteBuffer(held.response))
      finish(sink)
    case .parts(let parts):
      operations[sink.id]?.parts = parts
      continueParts(of: sink)
    case .subscription(let subscription):
      operations[sink.id]?.subscription = subscription
      operations[sink.id]?.task = nil
      if pendingClose != nil { stop(sink.id) } else { subscription.start() }
      closeIfDone()
    case .failure(let failure):
      send(ServerMessage.error(sink.id, errors: failure.errors))
      finish(sink)
    }
  }

  private func continueParts(of sink: SocketOperation<Service>) {
    guard let parts = operations[sink.id]?.parts else { return }
    taskWillBegin()
    operations[sink.id]?.task = Task(executorPreference: loop) { [self] in await send(parts, to: sink) }
  }

  private func send(_ parts: ResponseParts, to sink: SocketOperation<Service>) async {
    defer { taskDidEnd() }
    let isComplete = await parts.send(while: { isOpen(sink) && !sink.isBehind }) { part in
      if isOpen(sink) { sink.send(part: part) }
    }
    guard isOpen(sink) else { return }
    if isComplete { operationDidEnd(sink, with: []) } else { operations[sink.id]?.task = nil }
  }

  private func isOpen(_ sink: SocketOperation<Service>) -> Bool { operations[sink.id]?.sink === sink }

  func operationDidEnd(_ sink: SocketOperation<Service>, with errors: [GraphQLError]) {
    guard operations[sink.id]?.sink === sink else { return }
    send(errors.isEmpty ? ServerMessage.complete(sink.id) : ServerMessage.error(sink.id, errors: errors))
    finish(sink)
  }

  private func finish(_ sink: SocketOperation<Service>) {
    operations.remove(sink.id)
    closeIfDone()
  }

  private func stop(_ id: String) {
    // It may have ended.
    guard let operation = operations.remove(id) else { return }
    cancel(operation)
    sendHeldPong()
    closeIfDone()
  }

  private func cancel(_ operation: OpenOperation<Service>) {
    operation.task?.cancel()
    operation.subscription?.cancel()
  }

  /// Closes the connection because an event has arrived although the backlog of unsent events is full.
  func closeAsSlowConsumer() {
    close(CloseReason(.tryAgainLater, text: "SLOW_CONSUMER: Events arrive faster than the client reads them."))
  }
}
