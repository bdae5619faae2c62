import Basics
import Bytes
import EventLoop
import GraphQL
import HTTPServer

/// Takes GraphQL requests from their documents to their responses: those of HTTP, of lists of requests, of WebSockets,
/// of event streams, and those that are only validated. One for each loop, and confined to it.
///
/// A request is taken through these steps: the caller is identified, the operation prepared, its variables coerced, and
/// the operation executed. `begin` takes each step that needs no waiting, which is all of them for most requests. The
/// first step that waits makes a `PendingRequest`, and `finish` goes on there: no step is taken twice.
final class OperationRunner<Service: GraphQLService> {
  typealias Context = Service.Context

  let service: Service
  let executor: Executor
  let hub: SubscriptionHub
  let schema: Schema
  let variableLimits: VariableLimits
  let options: GraphQLHandlerOptions
  let durations: RequestDurations
  /// When the last step was measured, in nanoseconds of a monotonic clock.
  var measuredAt: UInt64 = 0
  var throttle: LoopThrottle
  var stopwatch = LoopStopwatch()
  var documents: DocumentViews
  let preparations = PreparationTurns()
  var responses: ResponseCache
  /// The key of the request for which `prepareReuse` was called last. Its memory is used again.
  var responseKey = ByteBuffer()

  /// - Parameter executor: that of the hub, so that all operations of the loop share its idle memory.
  init(_ service: Service, executor: Executor, hub: SubscriptionHub, options: GraphQLHandlerOptions) {
    self.service = service
    self.executor = executor
    self.hub = hub
    self.options = options
    durations = options.metrics.makeDurations()
    throttle = LoopThrottle(options.throttle)
    responses = ResponseCache(options.responses)
    schema = service.executable.schema
    variableLimits = options.limits.execution.variables
    documents = DocumentViews(service.executable, stored: options.documents, limits: options.limits)
  }

  // MARK: Running

  /// Where a request is after a step.
  enum Progress: ~Copyable {
    case done(OperationOutcome)
    case waits(PendingRequest<Service>.Step)
  }

  /// Runs a request as far as that goes without waiting.
  /// - Parameter known: what `knownOperation(of:)` found.
  func begin(
    _ request: GraphQLRequest,
    known: PreparedOperation? = nil,
    from origin: RequestOrigin
  ) -> OperationRun<Service> {
    guard let trace = origin.trace, let tracing = options.tracing else {
      return start(request, known: known, from: origin)
    }
    var run: OperationRun<Service>?
    tracing.within(trace) { run = start(request, known: known, from: origin) }
    guard let run = run.take() else { preconditionFailure("A tracing system must call what is run within a trace.") }
    return run
  }

  private func start(
    _ request: GraphQLRequest,
    known: PreparedOperation?,
    from origin: RequestOrigin
  ) -> OperationRun<Service> {
    if origin.purpose != .validation { options.metrics.count(.request) }
    let start = MonotonicClock.nanoseconds
    let found: Context?
    do {
      // A caller who sends files is identified with them, by `finish`.
      found = origin.files.isEmpty ? try service.knownContext(for: origin.caller) : nil
    } catch {
      let outcome = OperationOutcome.failure(failure(for: error))
      observe(outcome, of: origin, nil, since: start, until: start)
      return .done(outcome)
    }
    guard let context = consume found else {
      let step = PendingRequest<Service>.Step.identification(request, known: known)
      return .pending(PendingRequest(step, from: origin, service: service, since: start))
    }
    switch takeTurn(request, known: known, from: origin, in: context, since: start) {
    case .done(let outcome):
      service.finish(context)
      observe(outcome, of: origin, context, since: start, until: measuredAt)
      return .done(outcome)
    case .waits(let step):
      // Other requests of the loop read before `finish` is called, each in a snapshot of its own.
      context.willSuspend()
      let pending = PendingRequest(step, from: origin, service: service, since: start)
      pending.context = context
      return .pending(pending)
    }
  }

  /// Ends a request without executing it, because its client has stopped it or has gone.
  func abandon(_ pending: PendingRequest<Service>) {
    let context = pending.context
    pending.finishContext()
    let outcome = OperationOutcome.failure(.cancelled)
    observe(outcome, of: pending.origin, context, since: pending.startedAt, until: MonotonicClock.nanoseconds)
  }

  /// Runs the rest of a request.
  func finish(_ pending: PendingRequest<Service>) async -> OperationOutcome {
    guard let trace = pending.origin.trace, let tracing = options.tracing else { return await takeSteps(of: pending) }
    var outcome: OperationOutcome?
    await tracing.within(trace) { outcome = await takeSteps(of: pending) }
    guard let outcome = outcome.take() else {
      preconditionFailure("A tracing system must call what is run within a trace.")
    }
    return outcome
  }

  @inline(__always)
  private func takeSteps(of pending: PendingRequest<Service>) async -> OperationOutcome {
    while true {
      let progress: Progress
      // The usual step is awaited here: each asynchronous call takes a frame, which is no longer at hand when
      // hundreds of mutations have waited for a commit.
      if case .execution(let execution) = pending.step {
        progress = await finish(execution, of: pending)
      } else {
        progress = await takeStep(of: pending)
      }
      switch consume progress {
      case .done(let outcome):
        let context = pending.context
        // The parts of a response need the context until the last one.
        if !pending.hasParts { pending.finishContext() }
        observe(outcome, of: pending.origin, context, since: pending.startedAt, until: MonotonicClock.nanoseconds)
        return outcome
      case .waits(let step):
        pending.step = step
        pending.stepDidChange?()
      }
    }
  }

  /// Runs a request to its end.
  func run(_ request: GraphQLRequest, from origin: RequestOrigin) async -> OperationOutcome {
    switch begin(request, from: origin) {
    case .done(let outcome): outcome
    case .pending(let pending): await finish(pending)
    }
  }

  /// Takes the step that waits, and those that follow it without waiting.
  private func takeStep(of pending: PendingRequest<Service>) async -> Progress {
    let origin = pending.origin
    do {
      switch pending.step {
      case .identification(let request, let known):
        let context = try await service.context(for: origin.caller, origin.files)
        pending.context = context
        return takeTurn(request, known: known, from: origin, in: context, since: MonotonicClock.nanoseconds)
      case .turn(let request, let known, let context, let payer):
        switch throttle.takeTurn(of: payer, at: MonotonicClock.nanoseconds) {
        case .now: break
        case .after(let nanoseconds):
          context.willSuspend()
          defer { throttle.begin(payer) }
          try await Task.sleep(for: .nanoseconds(nanoseconds))
        case .rejected(let seconds): return .done(.rejected(.throttled(retryAfter: seconds)))
        }
        context.checkCaller()
        return prepareCharged(request, known: known, from: origin, in: context, since: MonotonicClock.nanoseconds)
      case .preparation(let request, let document, let context):
        return try await prepareInTurn(request, storedAs: document, of: pending, in: context)
      case .coercion(let request, let operation, let context):
        context.willSuspend()
        let variables = try await coerceOffLoop(request.variables, to: operation, for: context)
        context.checkCaller()
        releaseOffLoop(variables, of: request, with: pending, in: context)
        return try executeCharged(
          request,
          prepared: RequestPreparation(operation, variables: .success(variables)),
          from: origin,
          in: context
        )
      case .reuse(let request, let held, let query, let context):
        return try await reuse(held, for: query, of: request, from: origin, in: context)
      case .execution(let execution): return await finish(execution, of: pending)
      case .reusableExecution(let execution, let query, let context):
        return await finish(execution, of: pending, keepingAs: (query, context))
      case .idempotentExecution(let execution, let request, let context):
        return try await finishOnce(execution, as: request, in: context)
      case .subscription(let request, let operation, let variables, let sink, let context):
        return await subscribe(
          request,
          operation: operation,
          variables: variables,
          into: sink,
          from: origin,
          in: context
        )
      }
    } catch {
      return .done(.failure(failure(for: error)))
    }
  }

  /// - Parameter kept: The query for which the response is kept, and its context; nil if it is not kept.
  @inline(__always)
  private func finish(
    _ execution: Execution,
    of pending: PendingRequest<Service>,
    keepingAs kept: (query: ReusableQuery, context: Context)? = nil
  ) async -> Progress {
    let session = execution.isIncremental ? session(of: pending) : nil
    do throws(GraphQLError) {
      let response = try await executor.finish(execution)
      if let context = pending.context { charge(execution.timeBetweenAnswers, to: context) }
      guard execution.hasNext else {
        if let (query, context) = kept {
          keep(response, of: query.audiences, key: query.key, of: query.operation, in: context)
        }
        return .done(.response(response))
      }
      // The trace ends with the first part.
      execution.trace = nil
      return .done(.parts(parts(of: pending, session: session, execution: execution, initial: response)))
    } catch {
      if let context = pending.context { charge(execution.timeBetweenAnswers, to: context) }
      return .done(.failure(OperationFailure(ofExecution: error)))
    }
  }

  /// Executes a mutation with an idempotency key, unless it was executed before.
  private func finishOnce(
    _ execution: Execution,
    as request: IdempotentRequest,
    in context: Context
  ) async throws -> Progress {
    let first = try await service.firstResponse(to: request, in: context)
    context.willSuspend()
    if let first { return .done(.response(ByteBuffer(first))) }
    // The execution of a mutation does not throw, so the key always gets a result.
    let response = try await executor.finish(execution)
    let kept: [UInt8]? = response.withUnsafeBytes { bytes in
      // Root fields are skipped when the client has disconnected: a repeated request executes them. What could not be
      // read after a write is read again by a repeated request, which would otherwise find the error forever.
      let isComplete = !Task.isCancelled && !OperationSummary.hasErrors(bytes)
      return isComplete && bytes.count <= IdempotentRequest.maximumResponseBytes ? Array(bytes) : nil
    }
    try await service.keep(kept, of: request, in: context)
    return .done(.response(response))
  }
}
