/// One client's subscription: what it asked for, and how far it has been told.
///
/// `@unchecked Sendable`: it belongs to its loop's thread, and the actors there hand it to one another, which region
/// isolation cannot know.
package final class Subscription: @unchecked Sendable {
  enum Phase {
    case new
    /// It is told what was published before. What is published now it reads when it gets there.
    case catchingUp
    case live
    case ended
  }

  let operation: PreparedOperation
  let variables: VariableValues
  let onError: ErrorBehavior
  let source: SourceStream
  let sink: any SubscriptionSink
  private let makeContext: () throws -> any ExecutionContext
  private let finishContext: (any ExecutionContext) -> Void
  private unowned let hub: SubscriptionHub
  var phase = Phase.new
  /// The last event that it was told of.
  var position: Int64?
  /// Whether a piece of the backlog is being read, or waits to be.
  var isReading = false

  init(
    _ operation: PreparedOperation,
    variables: VariableValues,
    onError: ErrorBehavior,
    source: SourceStream,
    sink: any SubscriptionSink,
    hub: SubscriptionHub,
    makeContext: @escaping () throws -> any ExecutionContext,
    finishContext: @escaping (any ExecutionContext) -> Void
  ) {
    self.operation = operation
    self.variables = variables
    self.onError = onError
    self.source = source
    self.sink = sink
    self.hub = hub
    self.makeContext = makeContext
    self.finishContext = finishContext
    position = source.position
  }

  /// Begins to tell: first what is kept, then what comes.
  package func start() { hub.start(self) }

  /// The client takes in again what it is sent.
  package func resume() { if phase == .catchingUp { hub.catchUp(self) } }

  /// The client wants no more.
  package func cancel() { hub.remove(self) }

  /// Ends it and says why; without errors, that the source has ended.
  package func end(with errors: [GraphQLError] = []) {
    guard phase != .ended else { return }
    hub.remove(self)
    sink.subscriptionDidEnd(with: errors)
  }

  /// A context of this moment, good within `body`. What it throws ends the subscription.
  func withContext<Result>(_ body: (any ExecutionContext) throws -> Result) -> Result? {
    orEnd {
      let context = try makeContext()
      defer { finishContext(context) }
      return try body(context)
    }
  }

  private func orEnd<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch let error as FieldError {
      end(with: [GraphQLError(error.message, code: error.code)])
    } catch {
      end(with: [GraphQLError(GraphQLError.ourFault, code: .internalError)])
    }
    return nil
  }

  // MARK: Events

  /// Whether it is told now of an event that is published. Whoever still reads what is kept comes to it there, where it
  /// has a position; what has none is kept nowhere.
  func hears(position: Int64?) -> Bool { phase == .live || (phase == .catchingUp && position == nil) }

  /// What became of an event.
  enum Outcome {
    case response(SubscriptionResponse)
    /// It is none any more (`SourceStream.isCurrent`).
    case leftOut
    /// Executing it takes waiting, and nothing has been done.
    case waits
  }

  /// Executes an event where nothing waits; nil where the subscription has ended instead.
  func executeAtOnce(_ event: SourceEvent, _ executor: Executor) -> Outcome? {
    withContext { context in
      guard try isCurrent(event, context) else { return .leftOut }
      let response = executor.executeAtOnce(
        event,
        of: operation,
        variables: variables,
        context: context,
        onError: onError
      )
      return response.map { .response($0) } ?? .waits
    }
  }

  /// Executes an event, however long that takes; nil where the subscription has ended instead.
  func execute(_ event: SourceEvent, _ executor: Executor) async -> Outcome? {
    guard let isCurrent = withContext({ try isCurrent(event, $0) }) else { return nil }
    guard isCurrent else { return .leftOut }
    guard let context = orEnd(makeContext) else { return nil }
    defer { finishContext(context) }
    return .response(
      await executor.execute(event, of: operation, variables: variables, context: context, onError: onError)
    )
  }

  private func isCurrent(_ event: SourceEvent, _ context: any ExecutionContext) throws -> Bool {
    guard let check = source.isCurrent else { return true }
    context.staysOnLoop = true
    defer { context.staysOnLoop = false }
    return try check(event, context)
  }

  /// A piece of what was published before; nil where nothing is kept, or the subscription has ended.
  func backlog() -> SourceBacklog? {
    guard let backlog = source.backlog else { return nil }
    return withContext { context in
      context.staysOnLoop = true
      defer { context.staysOnLoop = false }
      return try backlog(position, context)
    }
  }

  /// Tells the client, unless it knows already.
  func deliver(_ response: SubscriptionResponse) {
    guard phase == .live || phase == .catchingUp else { return }
    if let new = response.position {
      if let position, new <= position { return }
      position = new
    }
    sink.receive(response)
  }
}
