import Bytes
import GraphQL
import HTTPServer

/// The steps of a request, each of which takes those that follow it without waiting.
extension OperationRunner {
  func prepare(
    _ request: GraphQLRequest,
    known: PreparedOperation?,
    from origin: RequestOrigin,
    in context: Context
  ) -> Progress {
    if let rejected = origin.whenIdentified?(context) { return .done(.rejected(rejected)) }
    do throws(GraphQLErrors) {
      let operation: PreparedOperation
      if let known {
        operation = known
      } else {
        switch try find(request, from: origin, in: context) {
        case .operation(let found): operation = found
        case .document(let document):
          return .waits(.preparation(request, document: request.hasDocument ? nil : document, context))
        }
      }
      return try proceed(with: operation, request, from: origin, in: context)
    } catch {
      if isValid(request, despite: error, from: origin) { return .done(.response(ErrorResponse.bytes([]))) }
      return .done(.rejected(error))
    }
  }

  /// Whether a document is valid although its request lacks the variables: a validation without variables is one of the
  /// document alone.
  private func isValid(_ request: GraphQLRequest, despite errors: GraphQLErrors, from origin: RequestOrigin) -> Bool {
    origin.purpose == .validation && request.variables.isEmpty && errors.areMissingVariables
  }

  /// Executes a request whose operation was found, unless its variables are large or it has no plan for them.
  @inline(__always)
  private func proceed(
    with operation: PreparedOperation,
    _ request: GraphQLRequest,
    from origin: RequestOrigin,
    in context: Context
  ) throws(GraphQLErrors) -> Progress {
    if request.variables.isLarge && options.workers != nil { return .waits(.coercion(request, operation, context)) }
    let audiences = prepareReuse(of: operation, for: request, from: origin, in: context)
    if let audiences, let entry = responses.entry(of: audiences, for: responseKey) {
      guard context.answersAtOnce else {
        let query = ReusableQuery(operation: operation, audiences: audiences, key: responseKey.array())
        return .waits(.reuse(request, ResponseCache.HeldEntry(entry), query, context))
      }
      if reuses(entry, to: request, operation: operation, from: origin, in: context) {
        return .done(.kept(ResponseCache.HeldEntry(entry)))
      }
    }
    return try execute(operation, for: request, from: origin, in: context, keepingFor: audiences)
  }

  /// Looks up whether the response to an earlier request is still valid, and executes the query otherwise.
  func reuse(
    _ held: ResponseCache.HeldEntry,
    for query: ReusableQuery,
    of request: GraphQLRequest,
    from origin: RequestOrigin,
    in context: Context
  ) async throws -> Progress {
    if await reuses(held, for: query, to: request, from: origin, in: context) { return .done(.kept(held)) }
    let start = stopwatch.start()
    defer { charge(since: start, to: context) }
    return try execute(
      query.operation,
      for: request,
      from: origin,
      in: context,
      keepingFor: query.audiences,
      key: query.key
    )
  }

  /// Executes a request whose operation was found, unless it has no plan for its variables.
  @inline(__always)
  private func execute(
    _ operation: PreparedOperation,
    for request: GraphQLRequest,
    from origin: RequestOrigin,
    in context: Context,
    keepingFor audiences: ResponseAudiences?,
    key: [UInt8]? = nil
  ) throws(GraphQLErrors) -> Progress {
    let variables = try coerceVariables(of: request, to: operation, in: context)
    if options.workers != nil, operation.needsPlan(for: variables, isIncremental: origin.incremental != nil) {
      // An operation whose plan depends on the variables is planned again for other values.
      let document = operation.document.source.bytes
      if LargeRequest.takesLongToPrepare(document) {
        return .waits(.preparation(request, document: request.hasDocument ? nil : document, context))
      }
    }
    return execute(
      request,
      operation: operation,
      variables: variables,
      from: origin,
      in: context,
      keepingFor: audiences,
      key: key
    )
  }

  /// The same for a request that has waited until its operation was prepared.
  func proceedCharged(
    with operation: PreparedOperation,
    _ request: GraphQLRequest,
    from origin: RequestOrigin,
    in context: Context
  ) throws(GraphQLErrors) -> Progress {
    let start = stopwatch.start()
    defer { charge(since: start, to: context) }
    return try proceed(with: operation, request, from: origin, in: context)
  }

  func coerceVariables(
    of request: GraphQLRequest,
    to operation: PreparedOperation,
    in context: Context
  ) throws(GraphQLErrors) -> VariableValues {
    try VariableCoercion.coerce(
      request.variables,
      to: operation.variables,
      in: schema,
      suggests: service.allowsIntrospection(context),
      limits: variableLimits
    )
  }

  func executeCharged(
    _ request: GraphQLRequest,
    prepared: RequestPreparation,
    from origin: RequestOrigin,
    in context: Context
  ) throws(GraphQLErrors) -> Progress {
    let start = stopwatch.start()
    if case .failure(let errors) = prepared.variables, isValid(request, despite: errors, from: origin) {
      return .done(.response(ErrorResponse.bytes([])))
    }
    let variables = try prepared.variables.get()
    let progress = execute(
      request,
      operation: prepared.operation,
      variables: variables,
      from: origin,
      in: context,
      planError: prepared.planError
    )
    charge(since: start, to: context)
    return progress
  }

  /// - Parameters:
  ///   - planError: The reason why the operation has no plan with these variables, if that is already known.
  ///   - audiences: Those for whom the response is kept, as `prepareReuse` returned them; nil if it is not kept.
  ///   - key: The key of the request; nil if it is `responseKey`.
  private func execute(
    _ request: GraphQLRequest,
    operation: PreparedOperation,
    variables: consuming VariableValues,
    from origin: RequestOrigin,
    in context: Context,
    planError: GraphQLError? = nil,
    keepingFor audiences: ResponseAudiences? = nil,
    key: [UInt8]? = nil
  ) -> Progress {
    record(operation, variables: variables, for: origin)
    if origin.purpose == .validation {
      let error = planError ?? executor.requestError(for: operation, variables: variables, context: context)
      if error == nil { countCost(of: operation, variables: variables, for: origin, in: context) }
      return .done(.response(ErrorResponse.bytes(error.map { [$0] } ?? [])))
    }
    if operation.type == .subscription {
      guard let sink = origin.sink else { return .done(.rejected(.notByHTTP)) }
      return .waits(.subscription(request, operation, variables, sink, context))
    }
    if operation.type == .mutation {
      if origin.isByGet { return .done(.failure(.mutationByGet)) }
      if service.isReadOnly { return .done(.rejected(.readOnly)) }
      if let fault = request.idempotencyFault { return .done(.rejected(.badRequest(fault))) }
    }
    if let planError { return .done(.rejected(GraphQLErrors([planError]))) }
    do throws(GraphQLError) {
      switch try executor.start(
        operation,
        variables: variables,
        context: context,
        onError: request.onError,
        incremental: origin.incremental,
        levelTimes: origin.measurement?.levels
      ) {
      case .response(let response):
        if let audiences { keep(response, of: audiences, key: key, of: operation, in: context) }
        return .done(.response(response))
      case .waiting(let execution):
        if request.idempotencyKey != nil, operation.type == .mutation,
          let request = IdempotentRequest(request, files: origin.files)
        {
          return .waits(.idempotentExecution(execution, request, context))
        }
        // Other requests use the same reader meanwhile if it answers at once.
        guard let audiences, !context.answersAtOnce else { return .waits(.execution(execution)) }
        let query = ReusableQuery(operation: operation, audiences: audiences, key: key ?? responseKey.array())
        return .waits(.reusableExecution(execution, query, context))
      }
    } catch {
      return .done(.rejected(GraphQLErrors([error])))
    }
  }

  /// Records the operation and its variables for logs, metrics and traces of the request.
  @inline(__always)
  private func record(_ operation: PreparedOperation, variables: VariableValues, for origin: RequestOrigin) {
    if let note = origin.note {
      note.operation = operation
      note.variables = variables
    }
    if let measurement = origin.measurement {
      measurement.operation = operation
      measurement.variables = variables
    }
    if let trace = origin.trace { describe(operation, variables: variables, of: origin, in: trace) }
  }

  func subscribe(
    _ request: GraphQLRequest,
    operation: PreparedOperation,
    variables: VariableValues,
    into sink: any SubscriptionSink,
    from origin: RequestOrigin,
    in context: Context
  ) async -> Progress {
    let service = service
    // The position of the subscription is that of a new snapshot.
    context.willSuspend()
    if let tell = origin.whenPositioned {
      // Without a position the client can only start a new subscription, which is no reason to fail.
      if let position = try? await context.inPasses({ try service.position(of: context) }) { tell(position) }
    }
    let subscriber = service.subscriber(of: context)
    do throws(GraphQLErrors) {
      let subscription = try await hub.subscription(
        operation,
        variables: variables,
        onError: request.onError,
        resume: request.resume,
        sink: sink,
        payer: service.subscriptionPayer(of: context, over: sink.connectionID),
        context: context
      ) {
        do {
          let following = try service.context(for: subscriber)
          return EventContext(following) { service.finish(following) }
        } catch let unavailable as ServiceUnavailable {
          throw GraphQLErrors([unavailable.error])
        }
      }
      return .done(.subscription(subscription))
    } catch {
      return .done(.rejected(error))
    }
  }
}
