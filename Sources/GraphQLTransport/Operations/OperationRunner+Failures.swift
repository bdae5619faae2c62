import EventLoop
import GraphQL

/// Requests that end with an error instead of a response.
extension OperationRunner {
  /// Counts an internal error. Rejections are counted with their outcomes, by `observe`.
  @inline(never)
  func failure(for error: any Error) -> OperationFailure {
    switch error {
    case let errors as GraphQLErrors: return .rejected(errors)
    case let rejection as CallerRejection: return .callerRejected(rejection.error)
    case let unavailable as ServiceUnavailable: return .unavailable(unavailable.error)
    case let error as GraphQLError: return OperationFailure(ofExecution: error)
    case is WorkerPool.Overloaded: return .unavailable(.overloaded)
    // A task is cancelled when its client has gone, or has stopped the operation. An error that an application throws
    // while the client waits is an internal one.
    case is CancellationError where Task.isCancelled: return .cancelled
    default:
      options.metrics.count(.failure)
      return .internalError
    }
  }
}
