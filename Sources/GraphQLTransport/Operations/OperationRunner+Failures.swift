import EventLoop
import GraphQL

/// Requests that end with an error before they are executed.
extension OperationRunner {
  /// Counts the request.
  @inline(never)
  func failure(for error: any Error, of origin: RequestOrigin) -> OperationFailure {
    switch error {
    case let errors as GraphQLErrors:
      countRejection(origin)
      return .rejected(errors)
    case let unavailable as ServiceUnavailable:
      countRejection(origin)
      return .unavailable(unavailable.error)
    // A task is cancelled when its client has gone.
    case is WorkerPool.Overloaded, is CancellationError: return .unavailable(.overloaded)
    default:
      options.metrics.count(.failure)
      return .internalError
    }
  }

  func countRejection(_ origin: RequestOrigin) {
    if origin.purpose != .validation { options.metrics.count(.rejection) }
  }
}
