import Basics
import EventLoop
import GraphQL
import HTTPServer

/// How a runner looks up the documents of requests, and prepares them on the loop.
extension OperationRunner {
  /// The operation of a document that was seen before; nil where each caller may read other documents.
  func knownOperation(of request: GraphQLRequest) -> PreparedOperation? {
    service.isIntrospectionPublic ? documents[allowsIntrospection: true].known(request) : nil
  }

  /// Whether a request is a subscription for every caller; nil if that requires `isSubscription(_:for:)`, because the
  /// document takes long to prepare.
  func isSubscription(_ request: GraphQLRequest) -> Bool? {
    let allowed = service.isIntrospectionPublic
    guard let found = try? documents[allowsIntrospection: allowed].find(request) else { return false }
    switch found {
    case .operation(let operation): return operation.type == .subscription
    case .document(let document):
      if options.workers != nil, document.count > LargeRequest.documentBytes { return nil }
      let preparation = documents[allowsIntrospection: allowed].preparation
      // A document with introspection is prepared when the caller is known.
      if IntrospectionText.isMentioned(in: document) {
        let type = try? preparation.operationType(of: document, operationName: request.operationName)
        return type == .subscription
      }
      guard let operation = try? preparation.prepare(document, operationName: request.operationName) else {
        return false
      }
      documents[allowsIntrospection: allowed].keep(operation, of: document, for: request)
      return operation.type == .subscription
    }
  }

  /// The operation of a request, or its document if that must be prepared off the loop.
  func find(
    _ request: GraphQLRequest,
    from origin: RequestOrigin,
    in context: Context
  ) throws(GraphQLErrors) -> PreparedDocuments.Found {
    let allowed = service.allowsIntrospection(context)
    let document: [UInt8]
    if origin.purpose == .validation {
      document = try documents[allowsIntrospection: allowed].text(of: request)
    } else {
      switch try documents[allowsIntrospection: allowed].find(request) {
      case .operation(let operation): return .operation(operation)
      case .document(let text): document = text
      }
    }
    try Self.admit(document, of: context, service)
    if options.workers != nil, LargeRequest.takesLongToPrepare(document) { return .document(document) }
    let preparation = documents[allowsIntrospection: allowed].preparation
    let start = origin.trace == nil ? 0 : MonotonicClock.nanoseconds
    defer { origin.trace?.add(.preparation, since: start) }
    let operation = try preparation.prepare(document, operationName: request.operationName)
    if origin.purpose == .execution {
      documents[allowsIntrospection: allowed].keep(operation, of: document, for: request)
    }
    return .operation(operation)
  }

  /// Preparing a document writes the responses to its introspection, which takes a millisecond for a whole schema. So
  /// each caller can have that done only so often.
  private static func admit(
    _ document: [UInt8],
    of context: Context,
    _ service: Service
  ) throws(GraphQLErrors) {
    guard IntrospectionText.isMentioned(in: document), let error = service.admitIntrospection(by: context) else {
      return
    }
    throw GraphQLErrors([error])
  }

  /// - Throws: `GraphQLErrors`, or `WorkerPool.Overloaded`.
  func coerceOffLoop(
    _ given: GivenVariables,
    to operation: PreparedOperation,
    for context: Context
  ) async throws -> VariableValues {
    let (schema, limits) = (schema, variableLimits)
    let (definitions, suggests) = (operation.variables, service.allowsIntrospection(context))
    let coerce = { @Sendable () throws(GraphQLErrors) in
      try VariableCoercion.coerce(given, to: definitions, in: schema, suggests: suggests, limits: limits)
    }
    guard let workers = options.workers else { return try coerce() }
    return try await workers.runUnlessCancelled(in: lane(of: context), coerce)
  }

  /// Makes a worker release the variables after the request, if they are large.
  func releaseOffLoop(
    _ variables: VariableValues,
    of request: GraphQLRequest,
    with pending: PendingRequest<Service>,
    in context: Context
  ) {
    guard let workers = options.workers, request.variables.isLarge else { return }
    pending.largeVariables = WorkerReleased(variables, by: workers, in: lane(of: context))
  }

  /// Callers take turns on the worker threads.
  func lane(of context: Context) -> WorkLane { WorkLane(service.payer(of: context)) }
}

extension WorkLane {
  /// The lane of the network or person that is charged for a request.
  init(_ payer: Payer?) { self = payer.map { WorkLane(kind: 0, client: $0.hashValue) } ?? .common }
}
