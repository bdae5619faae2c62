import Basics
import Bytes
import EventLoop
import GraphQL
import HTTPServer
import JSON

/// An operation whose responses are sent as server-sent events: the distinct connections mode of graphql-sse.
actor GraphQLEventStream<Service: GraphQLService>: ResponseStreamWriter, LiveConnection, SubscriptionSink {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let handler: GraphQLHandler<Service>
  private let options: LiveOptions
  private let operation: StreamedOperation
  /// Nil once the caller is known to be signed in.
  private var place: AnonymousPlace?
  private var session: Int64?
  /// The feed position before the operation started.
  private var position: String?
  private var stream: ResponseStream?
  private var subscription: Subscription?
  /// The response of a query that is delivered in parts.
  private var parts: ResponseParts?
  private var task: Task<Void, Never>?
  private var isGoingAway = false
  /// Why a subscription ends before it has started.
  private var endError: GraphQLError?
  /// Fires when the access token has expired.
  private var timer: LoopTimer?

  let heartbeat = Array(":\n\n".utf8)

  init(_ handler: GraphQLHandler<Service>, operation: StreamedOperation, place: AnonymousPlace?) {
    loop = handler.loop
    options = handler.options.live
    self.handler = handler
    self.operation = operation
    self.place = place
  }

  // MARK: The response

  func responseDidBegin(_ stream: ResponseStream) {
    self.stream = stream
    handler.options.metrics.live.add(1, to: .eventStreams)
    // Tells the client that it is connected.
    let (heartbeat, operation) = (heartbeat, operation)
    stream.assumeOnLoop { $0.send(heartbeat) }
    var run: OperationRun<Service>?
    handler.assumeOnLoop { handler in
      run = handler.begin(
        operation,
        into: self,
        adopt: { [self] identity in assumeOnLoop { $0.adopt(identity) } },
        position: { [self] position in assumeOnLoop { $0.position = position } }
      )
    }
    switch run.take() {
    case .done(let outcome): proceed(outcome)
    case .pending(let pending): task = Task(executorPreference: loop) { [self] in await finish(pending) }
    case nil: break
    }
  }

  private func finish(_ pending: PendingRequest<Service>) async {
    // The client has disconnected before the operation began.
    guard stream != nil else { return handler.assumeOnLoop { $0.abandon(pending) } }
    proceed(await handler.finish(pending))
  }

  /// Returns errors if the person has too many connections. An invalid token is not an error of the connection but of
  /// the operation, which may not need one.
  private func adopt(_ identity: ConnectionIdentity) -> GraphQLErrors? {
    guard stream != nil else {
      // The stream was closed in the meantime, and `responseDidEnd` did not know the session yet.
      forget(identity.session?.id)
      return GraphQLErrors([])
    }
    if case .rejected(let error) = identity, error.code == .tooManyConnections { return GraphQLErrors([error]) }
    guard let session = identity.session else { return nil }
    self.session = session.id
    place = nil
    guard let rest = session.expiresIn else { return nil }
    timer = loop.schedule(after: UInt64(max(0, rest) + options.expiryGrace.millisecondsRoundedUp)) { [self] in
      let error = GraphQLError("The access token has expired: refresh the session.", code: .tokenExpired)
      assumeOnLoop { $0.end(error) }
    }
    return nil
  }

  private func proceed(_ outcome: consuming OperationOutcome) {
    guard stream != nil else { return }
    switch consume outcome {
    case .response(let response):
      send(response)
      complete()
    case .kept(let held):
      send(ByteBuffer(held.response))
      complete()
    case .parts(let parts):
      self.parts = parts
      continueParts()
    case .subscription(let subscription):
      task = nil
      if isGoingAway { return stream?.assumeOnLoop { $0.end() } ?? () }
      if let endError { return subscriptionDidEnd(with: [endError]) }
      self.subscription = subscription
      // Tells the client that the subscription has begun. One that resumes gets its own position: after the current
      // one, a browser's EventSource would skip what it has missed.
      send(EventStreamFormat.begin(at: operation.request.resume ?? position))
      subscription.start()
    case .failure(let failure): subscriptionDidEnd(with: failure.errors)
    }
  }

  private func send(_ bytes: [UInt8]) { stream?.assumeOnLoop { $0.send(bytes) } }

  /// Sends an event with a response, or with a part of one.
  private func send(_ response: consuming ByteBuffer) {
    var response: ByteBuffer? = consume response
    stream?.assumeOnLoop { stream in
      guard let response = response.take() else { return }
      stream.send(response, after: EventStreamFormat.nextHead, before: EventStreamFormat.end)
    }
  }

  private func complete() {
    send(EventStreamFormat.complete)
    stream?.assumeOnLoop { $0.end() }
  }

  private func continueParts() {
    guard let parts else { return }
    task = Task(executorPreference: loop) { [self] in await send(parts) }
  }

  private func send(_ parts: ResponseParts) async {
    let isComplete = await parts.send(while: { canSend }) { send($0) }
    if isComplete { complete() } else { task = nil }
  }

  private var canSend: Bool { stream.map { stream in stream.assumeOnLoop { !$0.isBehind } } ?? false }

  func responseDidDrain() {
    subscription?.resume()
    if task == nil { continueParts() }
  }

  /// Ends without `complete`, because the operation is not complete: the client reconnects after the retry delay.
  func responseShouldEnd() {
    isGoingAway = true
    send(EventStreamFormat.retry(after: options.retryDelay))
    // A running operation is answered first.
    if subscription != nil || task == nil && parts == nil { stream?.assumeOnLoop { $0.end() } }
  }

  func responseDidEnd() {
    if stream != nil { handler.options.metrics.live.add(-1, to: .eventStreams) }
    stream = nil
    timer?.close()
    timer = nil
    task?.cancel()
    task = nil
    parts = nil
    subscription?.cancel()
    subscription = nil
    place = nil
    forget(session)
  }

  private func forget(_ session: Int64?) {
    handler.assumeOnLoop { $0.forget(self, session: session) }
  }

  func sessionDidChange(_ change: SessionChange) { end(change.error) }

  private func end(_ error: GraphQLError) {
    // A query or mutation still gets its response: it may be the sign-out itself.
    if let subscription { subscription.end(with: [error]) } else { endError = error }
  }

  // MARK: The subscription

  nonisolated var isBehind: Bool { assumeOnLoop { $0.stream?.assumeOnLoop { $0.isBehind } ?? true } }

  nonisolated func receive(_ response: SubscriptionResponse) { assumeOnLoop { $0.deliver(response) } }

  private func deliver(_ response: SubscriptionResponse) {
    guard let stream else { return }
    let isSent = stream.assumeOnLoop { stream in
      if stream.isBehind { return false }
      stream.send(EventStreamFormat.next(response.json, position: response.positionText))
      return true
    }
    // A slow consumer: it can read what was sent before, and then reconnects.
    if !isSent { stream.assumeOnLoop { $0.end() } }
  }

  nonisolated func subscriptionDidEnd(with errors: [GraphQLError]) {
    assumeOnLoop { stream in
      if !errors.isEmpty { stream.send(EventStreamFormat.next(ErrorResponse.bytes(errors).array(), position: nil)) }
      stream.complete()
    }
  }
}

extension ErrorCode {
  package static let tokenExpired = ErrorCode(rawValue: "TOKEN_EXPIRED")
}
