import Basics
import EventLoop
import GraphQL
import HTTPServer

/// How a runner has documents prepared on the worker threads.
extension OperationRunner {
  /// Prepares the document of a request when its turn comes, unless a request before has had it prepared, and executes
  /// the request.
  /// - Parameter stored: The document, if the request does not contain it.
  /// - Throws: `GraphQLErrors`, `WorkerPool.Overloaded`, or `CancellationError` if the client has gone.
  func prepareInTurn(
    _ request: GraphQLRequest,
    storedAs stored: [UInt8]?,
    of pending: PendingRequest<Service>,
    in context: Context
  ) async throws -> Progress {
    let origin = pending.origin
    context.willSuspend()
    let start = origin.trace == nil ? 0 : MonotonicClock.nanoseconds
    try await preparations.begin(in: lane(of: context))
    defer { preparations.end() }
    context.checkCaller()
    let allowed = service.allowsIntrospection(context)
    if origin.purpose == .execution, let operation = documents[allowsIntrospection: allowed].prepared(request) {
      switch try proceedCharged(with: operation, request, from: origin, in: context) {
      case .done(let outcome): return .done(outcome)
      // Its plan depends on the variables.
      case .waits(.preparation): break
      case .waits(let step): return .waits(step)
      }
    }
    let document = stored ?? request.document
    // The caller has been read.
    context.willSuspend()
    let prepared: RequestPreparation
    do {
      defer { origin.trace?.add(.preparation, since: start) }
      prepared = try await prepareOffLoop(
        document,
        request: request,
        allowsIntrospection: allowed,
        isIncremental: origin.incremental != nil
      )
    }
    context.checkCaller()
    if case .success(let variables) = prepared.variables {
      releaseOffLoop(variables, of: request, with: pending, in: context)
    }
    if origin.purpose == .execution {
      documents[allowsIntrospection: allowed].keep(prepared.operation, of: document, for: request)
    }
    return try executeCharged(request, prepared: prepared, from: origin, in: context)
  }

  /// Prepares the document of the request that has its turn, unless the request before has failed with the same one.
  private func prepareOffLoop(
    _ document: [UInt8],
    request: GraphQLRequest,
    allowsIntrospection allowed: Bool,
    isIncremental: Bool
  ) async throws -> RequestPreparation {
    let preparation = documents[allowsIntrospection: allowed].preparation
    let (name, given, limits) = (request.operationName, request.variables, variableLimits)
    let prepare = { @Sendable () throws(GraphQLErrors) in
      try RequestPreparation(
        of: document,
        named: name,
        given: given,
        preparation: preparation,
        suggests: allowed,
        limits: limits,
        isIncremental: isIncremental
      )
    }
    if let errors = preparations.errors(of: document, named: name, allowsIntrospection: allowed) { throw errors }
    guard let workers = options.workers else { return try prepare() }
    do {
      return try await workers.runUnlessCancelled(in: .preparations, prepare)
    } catch let errors as GraphQLErrors {
      preparations.record(
        PreparationTurns.Failure(
          document: document,
          operationName: name,
          allowsIntrospection: allowed,
          errors: errors
        )
      )
      throw errors
    }
  }

  /// Whether a request is a subscription for every caller. Prepares its document on another thread, or only parses it
  /// there if it contains introspection, which is prepared when the caller is known.
  /// - Parameters:
  ///   - network: The client's network.
  ///   - isIncremental: Whether the client accepts a response in parts, for which the operation has another plan.
  func isSubscription(_ request: GraphQLRequest, for network: Payer?, isIncremental: Bool) async -> Bool {
    let allowed = service.isIntrospectionPublic
    guard let workers = options.workers, let found = try? documents[allowsIntrospection: allowed].find(request),
      case .document(let document) = found
    else { return isSubscription(request) ?? false }
    // A request that gets no turn here gets none when it is executed, and an error.
    guard (try? await preparations.begin(in: WorkLane(network))) != nil else { return false }
    defer { preparations.end() }
    if let known = try? documents[allowsIntrospection: allowed].find(request), case .operation(let operation) = known {
      return operation.type == .subscription
    }
    // A document that cannot be prepared gets its errors when it is executed.
    if IntrospectionText.isMentioned(in: document) {
      let (preparation, name) = (documents[allowsIntrospection: allowed].preparation, request.operationName)
      let type = try? await workers.runUnlessCancelled(in: .preparations) {
        try preparation.operationType(of: document, operationName: name)
      }
      return type == .subscription
    }
    let prepared = try? await prepareOffLoop(
      document,
      request: request,
      allowsIntrospection: allowed,
      isIncremental: isIncremental
    )
    guard let operation = prepared?.operation else { return false }
    documents[allowsIntrospection: allowed].keep(operation, of: document, for: request)
    return operation.type == .subscription
  }
}

extension WorkLane {
  /// The lane of the preparations of all callers: each loop has one at a time. It is of a kind of its own, because
  /// other callers wait for it.
  fileprivate static let preparations = WorkLane(kind: 1, client: 0)
}
