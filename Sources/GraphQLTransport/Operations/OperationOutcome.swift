import Bytes
import GraphQL

/// How far a request came without waiting.
enum OperationRun<Service: GraphQLService>: ~Copyable {
  case done(OperationOutcome)
  /// `OperationRunner.finish` has to be awaited.
  case pending(PendingRequest<Service>)
}

/// The result of a request.
enum OperationOutcome: ~Copyable {
  /// The response of a query or mutation that was executed.
  case response(ByteBuffer)
  /// The response to an earlier query, which is sent again. It has no errors.
  case kept(ResponseCache.HeldEntry)
  /// The response of a query that is delivered incrementally.
  case parts(ResponseParts)
  /// To be started when its responses can be received.
  case subscription(Subscription)
  /// There is no response. Nothing was changed.
  case failure(OperationFailure)
}

extension OperationOutcome {
  /// Not optimized: Swift 6.3.1 otherwise copies the outcome in place of the errors, and since an outcome cannot be
  /// copied, the process ends. It did with the first invalid document of every release build.
  @inline(never)
  @_optimize(none)
  static func rejected(_ errors: GraphQLErrors) -> OperationOutcome { .failure(.rejected(errors)) }

  /// The response of a request whose origin has no sink and does not accept parts.
  consuming func wholeResponse() -> ByteBuffer {
    switch consume self {
    case .response(let body): return body
    case .kept(let held): return ByteBuffer(held.response)
    case .failure(let failure): return ErrorResponse.bytes(failure.errors)
    // The runner rejects subscriptions without a sink, and sends no parts to clients that do not accept them.
    case .subscription: return ErrorResponse.bytes([.internalError])
    case .parts: return ErrorResponse.bytes([.internalError])
    }
  }
}

/// Why a request has no response: it was not executed, or is a query whose execution could not be completed.
enum OperationFailure {
  /// The document, the variables or the caller's rights do not allow it.
  case rejected(GraphQLErrors)
  /// The service does not serve the caller.
  case callerRejected(GraphQLError)
  case mutationByGet
  /// The request cannot be served at the moment.
  case unavailable(GraphQLError)
  /// The client has gone, or has stopped the operation, before it was executed.
  case cancelled
  case internalError

  /// For an error that the executor has thrown in place of the response. An internal one is counted where it occurred.
  init(ofExecution error: GraphQLError) {
    self = error.code == .internalError ? .internalError : .unavailable(error)
  }

  /// For transports that have no status for it.
  var errors: [GraphQLError] {
    switch self {
    case .rejected(let rejected): rejected.errors
    case .mutationByGet: [.mutationByGet]
    case .cancelled: [.cancelled]
    case .callerRejected(let error), .unavailable(let error): [error]
    case .internalError: [GraphQLError.internalError]
    }
  }

  /// For what reports a single error.
  var first: GraphQLError { errors.first ?? .internalError }
}

extension GraphQLError {
  static let mutationByGet = GraphQLError(
    "GET executes queries only: send mutations by POST.",
    code: .methodNotAllowed
  )
  static let cancelled = GraphQLError(
    "The client ended its connection, or stopped the operation, while the request was waiting.",
    code: .requestCancelled
  )
}
