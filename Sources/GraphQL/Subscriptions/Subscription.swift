/// A subscription of one client: its operation, and the state machine that the hub drives.
///
/// `@unchecked Sendable`: a subscription is confined to the thread of its event loop. The actors on that thread pass it
/// to one another, which region isolation cannot verify.
package final class Subscription: @unchecked Sendable {
  let operation: PreparedOperation
  let variables: VariableValues
  let onError: ErrorBehavior
  let source: SourceStream
  let sink: any SubscriptionSink
  /// Identifies the caller that the operation's memory is charged to.
  let payer: Int?
  var machine: SubscriptionMachine
  /// Its index in the members of its group.
  var groupIndex = 0
  private let makeContext: () throws -> EventContext
  private unowned let hub: SubscriptionHub

  init(
    _ operation: PreparedOperation,
    variables: VariableValues,
    onError: ErrorBehavior,
    source: SourceStream,
    sink: any SubscriptionSink,
    payer: Int?,
    hub: SubscriptionHub,
    makeContext: @escaping () throws -> EventContext
  ) {
    self.operation = operation
    self.variables = variables
    self.onError = onError
    self.source = source
    self.sink = sink
    self.payer = payer
    self.hub = hub
    self.makeContext = makeContext
    machine = SubscriptionMachine(position: source.position)
  }

  /// Starts the delivery of responses: first for the events of the backlog, then for published events.
  package func start() { hub.handle(.started(hasBacklog: source.backlog != nil), of: self) }

  /// Resumes delivery when the client accepts responses again.
  package func resume() { hub.resume(self) }

  /// Ends the subscription at the request of the client.
  package func cancel() { hub.handle(.cancelled, of: self) }

  /// Ends the subscription and sends the errors to the client. Without errors, the source stream has ended.
  package func end(with errors: [GraphQLError] = []) { hub.handle(.ended(errors), of: self) }

  // MARK: Events

  /// Executes an event as far as possible without suspending. Returns nil if the subscription has ended instead.
  func execute(_ event: SourceEvent) -> EventOutcome? {
    guard let made = newContext() else { return nil }
    guard made.context.answersAtOnce else { return .waiting(WaitingEvent(event: event, context: made)) }
    do {
      let isCurrent = try made.context.onLoop { try source.isCurrent?(event, made.context) ?? true }
      guard isCurrent else {
        made.finish()
        return .skipped
      }
    } catch {
      end(with: error, in: made.context)
      made.finish()
      return nil
    }
    do throws(GraphQLError) {
      switch try start(event, in: made.context) {
      case .response(let response):
        let response = SubscriptionResponse(response, to: event, in: made.context)
        made.finish()
        return .response(response)
      case .waiting(let execution):
        made.context.willSuspend()
        return .waiting(WaitingEvent(event: event, context: made, execution: execution))
      }
    } catch {
      end(with: [error])
      made.finish()
      return nil
    }
  }

  /// Completes the execution of an event. The outcome is a response or `skipped`, or nil if the subscription has ended
  /// instead.
  func finish(_ waiting: WaitingEvent) async -> EventOutcome? {
    let (event, context) = (waiting.event, waiting.context.context)
    defer { waiting.context.finish() }
    if let execution = waiting.execution { return await finish(execution, of: event, in: context) }
    do {
      if let check = source.isCurrent {
        guard try await context.inPassesOnLoop({ try check(event, context) }) else { return .skipped }
      }
    } catch {
      end(with: error, in: context)
      return nil
    }
    do throws(GraphQLError) {
      switch try start(event, in: context) {
      case .response(let response): return .response(SubscriptionResponse(response, to: event, in: context))
      case .waiting(let execution): return await finish(execution, of: event, in: context)
      }
    } catch {
      end(with: [error])
      return nil
    }
  }

  /// Executes an event to its end. The outcome is a response or `skipped`, or nil if the subscription has ended
  /// instead.
  func outcome(of event: SourceEvent) async -> EventOutcome? {
    let outcome = execute(event)
    if case .waiting(let waiting) = outcome { return await finish(waiting) }
    return outcome
  }

  private func finish(
    _ execution: Execution,
    of event: SourceEvent,
    in context: any ExecutionContext
  ) async -> EventOutcome? {
    do throws(GraphQLError) {
      let response = try await hub.executor.finish(execution)
      if let unread = context.unreadCaller ?? context.unreadData { throw GraphQLError(unread) }
      return .response(SubscriptionResponse(response, to: event, in: context))
    } catch {
      // Without a response that has the event's position, the client resumes before the event.
      end(with: [error])
      return nil
    }
  }

  private func start(
    _ event: SourceEvent,
    in context: any ExecutionContext
  ) throws(GraphQLError) -> ExecutionStart {
    try hub.executor.start(
      operation,
      variables: variables,
      context: context,
      onError: onError,
      event: EventValue(event.value)
    )
  }

  // MARK: The backlog

  /// Reads the next piece of the backlog as far as possible without suspending. Returns nil if the subscription has
  /// ended instead.
  func readBacklog(after position: Int64?) -> BacklogOutcome? {
    guard let backlog = source.backlog, let made = newContext() else { return nil }
    guard made.context.answersAtOnce else { return .waiting(made) }
    defer { made.finish() }
    do {
      return .piece(try made.context.onLoop { try backlog(position, made.context) })
    } catch {
      end(with: error, in: made.context)
      return nil
    }
  }

  /// Completes the reading of a piece. Returns nil if the subscription has ended instead.
  func finishReading(after position: Int64?, in made: EventContext) async -> SourceBacklog? {
    defer { made.finish() }
    guard let backlog = source.backlog else { return nil }
    do {
      return try await made.context.inPassesOnLoop { try backlog(position, made.context) }
    } catch {
      end(with: error, in: made.context)
      return nil
    }
  }

  /// The context for an event, which the caller finishes. Nil if the subscription has ended instead.
  private func newContext() -> EventContext? {
    do {
      return try makeContext()
    } catch {
      end(with: error, in: nil)
      return nil
    }
  }

  /// Ends the subscription with the error that its client may see, as that of a field.
  ///
  /// - Parameter context: Nil if it could not be made. An internal error was then logged where it occurred.
  private func end(with error: any Error, in context: (any ExecutionContext)?) {
    if let errors = error as? GraphQLErrors { return end(with: errors.errors) }
    let known = context.map { $0.clientError(for: error, at: coordinate) } ?? error as? FieldError
    end(with: [GraphQLError(known ?? .internalError)])
  }

  /// The coordinate of the field that provides the source.
  private var coordinate: String {
    let plan = try? operation.plan(for: variables)
    return plan?.sourceField?.bound.coordinate ?? source.topic.name
  }
}

/// The context in which an event is executed.
package struct EventContext {
  let context: any ExecutionContext
  /// Releases what the context holds.
  let finish: () -> Void

  package init(_ context: any ExecutionContext, finish: @escaping () -> Void) {
    self.context = context
    self.finish = finish
  }
}

/// The result of executing an event for a subscription.
enum EventOutcome {
  case response(SubscriptionResponse)
  /// The event is no longer current (`SourceStream.isCurrent`).
  case skipped
  case waiting(WaitingEvent)
}

/// The result of reading a piece of a subscription's backlog.
enum BacklogOutcome {
  case piece(SourceBacklog)
  /// The reading must be completed with `Subscription.finishReading`.
  case waiting(EventContext)
}

/// An event whose execution must be completed with `Subscription.finish`.
struct WaitingEvent {
  let event: SourceEvent
  let context: EventContext
  /// Nil if the execution has not started, because nothing can be read at once.
  var execution: Execution?
}
