import Basics
import GraphQL
import HTTP

/// Records what traces say about requests as a whole.
extension OperationRunner {
  /// Nil if the request is not traced.
  ///
  /// - Parameter request: nil for an operation of a WebSocket.
  func makeTrace(of request: HTTPRequest?) -> RequestTrace? {
    options.tracing?.begin(request, route: options.path)
  }

  /// Records the operation of a request, and its planning if it has no plan yet.
  func describe(
    _ operation: PreparedOperation,
    variables: VariableValues,
    of origin: RequestOrigin,
    in trace: RequestTrace
  ) {
    (trace.operation, trace.operationType) = (operation.name, operation.type.traced)
    let isIncremental = origin.incremental != nil
    guard operation.needsPlan(for: variables, isIncremental: isIncremental) else { return }
    let start = MonotonicClock.nanoseconds
    // The operation keeps its plan, or the reason why it has none is found again.
    _ = try? operation.plan(for: variables, isIncremental: isIncremental)
    trace.add(.planning, since: start)
  }

  func finish(_ trace: RequestTrace, with summary: OperationSummary, in context: Context?) {
    trace.errorCode = summary.outcome == .ok ? nil : summary.code
    trace.hasFailed = summary.outcome == .failed
    trace.responseBytes = summary.responseBytes
    context?.trace = nil
    trace.finish()
    options.tracing?.end(trace)
  }
}

extension OperationType {
  var traced: StaticString {
    switch self {
    case .query: "query"
    case .mutation: "mutation"
    case .subscription: "subscription"
    }
  }
}
