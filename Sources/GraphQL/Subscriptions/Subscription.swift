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
  var machine: SubscriptionMachine
  private let makeContext: () throws -> EventContext
  private unowned let hub: SubscriptionHub

  init(
    _ operation: PreparedOperation,
    variables: VariableValues,
    onError: ErrorBehavior,
    source: SourceStream,
    sink: any SubscriptionSink,
    hub: SubscriptionHub,
    makeContext: @escaping () throws -> EventContext
  ) {
    self.operation = operation
    self.variables = variables
    self.onError = onError
    self.source = source
    self.sink = sink
    self.hub = hub
    self.makeContext = makeContext
    machine = SubscriptionMachine(position: source.position)
  }

  /// Starts the delivery of responses: first for the events of the backlog, then for published events.
  package func start() { hub.handle(.started(hasBacklog: source.backlog != nil), of: self) }

  /// Resumes delivery when the client accepts responses again.
  package func resume() { hub.handle(.drained, of: self) }

  /// Ends the subscription at the request of the client.
  package func cancel() { hub.handle(.cancelled, of: self) }

  /// Ends the subscription and sends the errors to the client. Without errors, the source stream has ended.
  package func end(with errors: [GraphQLError] = []) { hub.handle(.ended(errors), of: self) }

  // MARK: Events

  /// Executes an event as far as possible without suspending. Returns nil if the subscription has ended instead.
  func execute(_ event: SourceEvent, _ executor: Executor) -> EventOutcome? {
    inNewContext { made in
      guard try isCurrent(event, made.context) else {
        made.finish()
        return .skipped
      }
      let start = executor.start(
        operation,
        variables: variables,
        context: made.context,
        onError: onError,
        event: event.value
      )
      switch consume start {
      case .response(let response):
        let response = SubscriptionResponse(response, to: event, made.context)
        made.finish()
        return .response(response)
      case .waiting(let execution):
        made.context.willSuspend()
        return .waiting(WaitingEvent(event: event, context: made, execution: execution))
      }
    }
  }

  private func isCurrent(_ event: SourceEvent, _ context: any ExecutionContext) throws -> Bool {
    guard let check = source.isCurrent else { return true }
    context.staysOnLoop = true
    defer { context.staysOnLoop = false }
    return try check(event, context)
  }

  /// Returns the next piece of the backlog, or nil if the subscription has ended instead.
  func backlog(after position: Int64?) -> SourceBacklog? {
    guard let backlog = source.backlog else { return nil }
    return inNewContext { made in
      made.context.staysOnLoop = true
      let piece = try backlog(position, made.context)
      made.context.staysOnLoop = false
      made.finish()
      return piece
    }
  }

  /// Calls `body` with a new context. `body` must finish the context unless it throws. An error ends the subscription.
  private func inNewContext<Result>(_ body: (EventContext) throws -> Result) -> Result? {
    do {
      let made = try makeContext()
      do {
        return try body(made)
      } catch {
        made.finish()
        throw error
      }
    } catch let error as FieldError {
      end(with: [GraphQLError(error.message, code: error.code)])
    } catch {
      end(with: [GraphQLError(GraphQLError.internalErrorMessage, code: .internalError)])
    }
    return nil
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

/// An event whose execution has started and must be completed with `finish`.
struct WaitingEvent {
  let event: SourceEvent
  let context: EventContext
  let execution: Execution

  func finish(_ executor: Executor) async -> SubscriptionResponse {
    let response = await executor.finish(execution)
    defer { context.finish() }
    return SubscriptionResponse(response, to: event, context.context)
  }
}
