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
  private let hub: SubscriptionHub
  let variableLimits: VariableLimits
  private let metrics: Metrics
  let durations: RequestDurations
  /// Nil if requests are not logged.
  let log: RequestLog?
  /// When the last step was measured, in nanoseconds of a monotonic clock.
  private var measuredAt: UInt64 = 0
  /// For large variables and documents; nil takes them on the loop.
  let workers: WorkerPool?
  private(set) var throttle: LoopThrottle
  private var stopwatch = LoopStopwatch()
  /// Documents as callers see them who may read the schema, and as the others do.
  var withIntrospection: PreparedDocuments
  var withoutIntrospection: PreparedDocuments

  init(
    _ service: Service,
    _ hub: SubscriptionHub,
    documents: StoredDocuments,
    limits: RequestLimits,
    metrics: Metrics,
    log: RequestLog?,
    workers: WorkerPool?,
    throttle: LoopThrottle.Limits
  ) {
    self.service = service
    self.hub = hub
    self.metrics = metrics
    self.log = log
    durations = metrics.makeDurations()
    self.workers = workers
    self.throttle = LoopThrottle(throttle)
    executor = Executor(service.executable, limits: limits.execution)
    variableLimits = limits.execution.variables
    let executable = service.executable
    withIntrospection = PreparedDocuments(executable, stored: documents, limits: limits, allowsIntrospection: true)
    withoutIntrospection = PreparedDocuments(executable, stored: documents, limits: limits, allowsIntrospection: false)
  }

  // MARK: Running

  /// Runs a request as far as that goes without waiting.
  /// - Parameter known: what `knownOperation(of:)` found.
  func begin(
    _ request: GraphQLRequest,
    _ known: PreparedOperation? = nil,
    from origin: RequestOrigin<Service>
  ) -> OperationRun<Service> {
    if origin.purpose != .validation { metrics.count(.request) }
    let start = EventLoop.monotonicNanoseconds
    let context: Context
    do {
      // A caller who sends files is identified with them, by `finish`.
      guard origin.files.isEmpty, let found = try service.knownContext(for: origin.caller) else {
        return .pending(PendingRequest(request, known, origin, service, .identification, since: start))
      }
      context = found
    } catch let error as GraphQLErrors {
      countRejection(origin)
      let outcome = OperationOutcome.rejected(error)
      observe(outcome, of: origin, nil, since: start, until: start)
      return .done(outcome)
    } catch {
      metrics.count(.failure)
      let outcome = OperationOutcome.failure(.internalError)
      observe(outcome, of: origin, nil, since: start, until: start)
      return .done(outcome)
    }
    switch takeTurn(request, known, origin, context, since: start) {
    case .done(let outcome):
      service.finish(context)
      observe(outcome, of: origin, context, since: start, until: measuredAt)
      return .done(outcome)
    case .waits(let step):
      // Other requests of the loop read before `finish` is called, each in a snapshot of its own.
      context.willSuspend()
      let pending = PendingRequest(request, known, origin, service, step, since: start)
      pending.context = context
      return .pending(pending)
    }
  }

  /// Runs the rest of a request.
  func finish(_ pending: PendingRequest<Service>) async -> OperationOutcome {
    while true {
      switch await take(pending.step, of: pending) {
      case .done(let outcome):
        let context = pending.context
        pending.finishContext()
        observe(
          outcome,
          of: pending.origin,
          context,
          since: pending.startedAt,
          until: EventLoop.monotonicNanoseconds
        )
        return outcome
      case .waits(let step): pending.step = step
      }
    }
  }

  /// Runs a request to its end.
  func run(_ request: GraphQLRequest, from origin: RequestOrigin<Service>) async -> OperationOutcome {
    switch begin(request, from: origin) {
    case .done(let outcome): outcome
    case .pending(let pending): await finish(pending)
    }
  }

  /// Takes the step that waits, and those that follow it without waiting.
  private func take(_ step: PendingRequest<Service>.Step, of pending: PendingRequest<Service>) async -> Progress {
    let (request, origin) = (pending.request, pending.origin)
    do {
      switch step {
      case .identification:
        let context = try await service.context(for: origin.caller, origin.files)
        pending.context = context
        return takeTurn(request, pending.known, origin, context, since: EventLoop.monotonicNanoseconds)
      case .turn(let context, let payer):
        switch throttle.turn(of: payer, at: EventLoop.monotonicNanoseconds) {
        case .now: break
        case .after(let nanoseconds):
          context.willSuspend()
          defer { throttle.begin(payer) }
          try await Task.sleep(for: .nanoseconds(nanoseconds))
        case .rejected(let seconds): return reject(.throttled(retryAfter: seconds), origin)
        }
        return prepareCharged(request, pending.known, origin, context, since: EventLoop.monotonicNanoseconds)
      case .preparation(let document, let context):
        context.willSuspend()
        let prepared = try await prepareOffLoop(document, request, context)
        if origin.purpose == .execution { keep(prepared.operation, of: document, for: request, context) }
        return try executeCharged(request, prepared, origin, context)
      case .coercion(let operation, let context):
        context.willSuspend()
        let variables = try await coerceOffLoop(request.variables, to: operation, for: context)
        return try executeCharged(request, RequestPreparation(operation, .success(variables)), origin, context)
      case .execution(let execution):
        if request.idempotencyKey != nil, execution.isMutation, let context = pending.context {
          return try await finishOnce(execution, request, origin, context)
        }
        let response = await executor.finish(execution)
        if let context = pending.context { charge(execution.timeBetweenAnswers, to: context) }
        return .done(.response(response))
      case .subscription(let operation, let variables, let sink, let context):
        return await subscribe(request, operation, variables, into: sink, origin, context)
      }
    } catch let error as GraphQLErrors {
      return reject(error, origin)
    } catch is WorkerPool.Overloaded {
      return .done(.failure(.overloaded))
    } catch is CancellationError {
      // The client has gone.
      return .done(.failure(.overloaded))
    } catch {
      metrics.count(.failure)
      return .done(.failure(.internalError))
    }
  }

  /// Executes a mutation with an idempotency key, unless it was executed before.
  private func finishOnce(
    _ execution: Execution,
    _ request: GraphQLRequest,
    _ origin: RequestOrigin<Service>,
    _ context: Context
  ) async throws -> Progress {
    guard let idempotent = IdempotentRequest(request, origin.files) else {
      return .done(.response(await executor.finish(execution)))
    }
    let first = try await service.firstResponse(to: idempotent, context)
    context.willSuspend()
    if let first {
      var response = ByteBuffer(capacity: first.count)
      response.append(first)
      return .done(.response(response))
    }
    let response = await executor.finish(execution)
    // Root fields are skipped when the client has disconnected: a repeated request executes them.
    let isKept = !Task.isCancelled && response.count <= IdempotentRequest.maximumResponseBytes
    await service.keep(isKept ? response.withUnsafeBytes { Array($0) } : nil, of: idempotent, context)
    return .done(.response(response))
  }

  // MARK: Throttling

  /// Prepares a request if it is the caller's turn. Otherwise `finish` does: its task runs after the loop has served
  /// the connections that are ready. A turn is not reserved before `finish`, which is not called for a request whose
  /// client has gone.
  private func takeTurn(
    _ request: GraphQLRequest,
    _ known: PreparedOperation?,
    _ origin: RequestOrigin<Service>,
    _ context: Context,
    since start: UInt64
  ) -> Progress {
    if !throttle.isIdle, let payer = service.payer(of: context),
      throttle.delays(payer, at: EventLoop.monotonicNanoseconds)
    {
      return .waits(.turn(context, payer))
    }
    return prepareCharged(request, known, origin, context, since: start)
  }

  private func prepareCharged(
    _ request: GraphQLRequest,
    _ known: PreparedOperation?,
    _ origin: RequestOrigin<Service>,
    _ context: Context,
    since start: UInt64
  ) -> Progress {
    let work = stopwatch.start(at: start)
    let progress = prepare(request, known, origin, context)
    charge(since: work, to: context)
    return progress
  }

  /// Charges the time since `start` to the caller.
  private func charge(since start: LoopStopwatch.Start, to context: Context) {
    measuredAt = EventLoop.monotonicNanoseconds
    guard let shortTime = throttle.shortTime, let time = stopwatch.stop(start, over: shortTime, at: measuredAt),
      let payer = service.payer(of: context)
    else { return }
    throttle.charge(time, to: payer, at: measuredAt)
  }

  /// Charges the time of an execution between the answers of its statements, during which nothing suspends.
  private func charge(_ time: Duration, to context: Context) {
    let time = UInt64(max(.zero, time) / .nanoseconds(1))
    guard let shortTime = throttle.shortTime, time > shortTime, let payer = service.payer(of: context) else { return }
    throttle.charge(time, to: payer, at: EventLoop.monotonicNanoseconds)
  }

  // MARK: Steps

  private enum Progress: ~Copyable {
    case done(OperationOutcome)
    case waits(PendingRequest<Service>.Step)
  }

  private func prepare(
    _ request: GraphQLRequest,
    _ known: PreparedOperation?,
    _ origin: RequestOrigin<Service>,
    _ context: Context
  ) -> Progress {
    if let rejected = origin.whenIdentified?(context) { return .done(.rejected(rejected)) }
    do throws(GraphQLErrors) {
      let operation: PreparedOperation
      if let known {
        operation = known
      } else {
        switch try find(request, origin, context) {
        case .operation(let found): operation = found
        case .document(let document): return .waits(.preparation(document, context))
        }
      }
      if request.variables.isLarge && workers != nil { return .waits(.coercion(operation, context)) }
      let variables = try VariableCoercion.coerce(
        request.variables,
        to: operation.variables,
        in: service.executable.schema,
        suggests: service.allowsIntrospection(context),
        limits: variableLimits
      )
      if workers != nil, operation.needsPlan(for: variables) {
        // An operation whose plan depends on the variables is planned again for other values.
        let document = operation.document.source.bytes
        if LargeRequest.takesLongToPrepare(document) { return .waits(.preparation(document, context)) }
      }
      return execute(request, operation, variables, origin, context)
    } catch {
      if origin.purpose == .validation, request.variables.isEmpty, error.areMissingVariables {
        return .done(.response(ErrorResponse.bytes([])))
      }
      return reject(error, origin)
    }
  }

  private func executeCharged(
    _ request: GraphQLRequest,
    _ prepared: RequestPreparation,
    _ origin: RequestOrigin<Service>,
    _ context: Context
  ) throws(GraphQLErrors) -> Progress {
    let start = stopwatch.start()
    if origin.purpose == .validation, request.variables.isEmpty, case .failure(let error) = prepared.variables,
      error.areMissingVariables
    {
      return .done(.response(ErrorResponse.bytes([])))
    }
    let variables = try prepared.variables.get()
    let progress = execute(request, prepared.operation, variables, origin, context, planError: prepared.planError)
    charge(since: start, to: context)
    return progress
  }

  /// - Parameter planError: The reason why the operation has no plan with these variables, if that is already known.
  private func execute(
    _ request: GraphQLRequest,
    _ operation: PreparedOperation,
    _ variables: VariableValues,
    _ origin: RequestOrigin<Service>,
    _ context: Context,
    planError: GraphQLError? = nil
  ) -> Progress {
    if let note = origin.note {
      note.operation = operation
      note.variables = variables
    }
    if origin.purpose == .validation {
      let error = planError ?? executor.requestError(for: operation, variables: variables, context: context)
      return .done(.response(ErrorResponse.bytes(error.map { [$0] } ?? [])))
    }
    if operation.type == .subscription {
      guard let sink = origin.sink else { return reject(.notByHTTP, origin) }
      return .waits(.subscription(operation, variables, sink, context))
    }
    if operation.type == .mutation {
      if origin.isReadOnly { return .done(.failure(.mutationByGet)) }
      if service.isReadOnly { return reject(.readOnly, origin) }
    }
    if let planError { return .done(.response(ErrorResponse.bytes([planError]))) }
    switch executor.start(operation, variables: variables, context: context, onError: request.onError) {
    case .response(let response): return .done(.response(response))
    case .waiting(let execution): return .waits(.execution(execution))
    }
  }

  private func subscribe(
    _ request: GraphQLRequest,
    _ operation: PreparedOperation,
    _ variables: VariableValues,
    into sink: any SubscriptionSink,
    _ origin: RequestOrigin<Service>,
    _ context: Context
  ) async -> Progress {
    let service = service
    if let tell = origin.whenPositioned {
      // Without a position the client can only start a new subscription, which is no reason to fail.
      if let position = try? await context.inPasses({ try service.position(of: context) }) { tell(position) }
    }
    do throws(GraphQLErrors) {
      let subscription = try await hub.subscription(
        operation,
        variables: variables,
        onError: request.onError,
        resume: request.resume,
        sink: sink,
        context: context
      ) {
        let following = try service.context(following: context)
        return EventContext(following) { service.finish(following) }
      }
      return .done(.subscription(subscription))
    } catch {
      return .done(.rejected(error))
    }
  }

  private func reject(_ errors: GraphQLErrors, _ origin: RequestOrigin<Service>) -> Progress {
    countRejection(origin)
    return .done(.rejected(errors))
  }

  private func countRejection(_ origin: RequestOrigin<Service>) {
    if origin.purpose != .validation { metrics.count(.rejection) }
  }
}
