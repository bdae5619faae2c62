import Basics
import GraphQL
import HTTP

/// Measures requests for metrics and the request log.
extension OperationRunner {
  /// Records the end of a request, and charges the caller for the response that is written then.
  /// - Parameters:
  ///   - context: nil if the caller was not identified.
  ///   - start: when the request was received, in nanoseconds of a monotonic clock.
  @inline(never)
  func observe(
    _ outcome: borrowing OperationOutcome,
    of origin: RequestOrigin,
    _ context: Context?,
    since start: UInt64,
    until end: UInt64
  ) {
    guard origin.purpose == .execution else { return }
    if let measurement = origin.measurement, let context {
      finish(measurement, in: context, nanoseconds: end - start)
    }
    let summary = OperationSummary(outcome, readsCode: origin.note != nil || origin.trace != nil)
    // The context is not copied for the usual response, which is short.
    if summary.bytes > throttle.freeBytes, let context { charge(bytes: summary.bytes, to: context) }
    // `graphql_refusals_total` does not count clients that have disconnected.
    if summary.outcome == .rejected, !Task.isCancelled { options.metrics.count(.rejection) }
    durations.record(summary.outcome, nanoseconds: end - start)
    // Only tested here: a copy of the note would be made before, whether or not there is one.
    if origin.note != nil { appendRecord(summary, of: origin, in: context, nanoseconds: end - start) }
    if let trace = origin.trace { finish(trace, with: summary, in: context) }
  }

  /// Records a response that is the same for every caller.
  /// - Parameter operation: never nil. An optional, because unwrapping it would retain it.
  func observeConstant(
    _ operation: PreparedOperation?,
    bytes: Int,
    of request: HTTPRequest,
    from address: @autoclosure () -> String?
  ) {
    durations.record(.ok, nanoseconds: 0)
    let trace = makeTrace(of: request)
    if let trace, let tracing = options.tracing {
      (trace.operation, trace.operationType) = (operation?.name, operation?.type.traced ?? "")
      trace.responseBytes = bytes
      trace.finish()
      tracing.end(trace)
    }
    guard let log = options.log, log.takesNext() else { return }
    log.append(
      RequestRecord(
        time: service.now,
        type: operation?.type,
        operation: operation?.name,
        nanoseconds: 0,
        cost: nil,
        client: service.client(at: address()),
        outcome: "OK",
        bytes: bytes,
        trace: (trace?.context ?? request.traceParent)?.traceID
      )
    )
  }

  /// Records a request that is not a well-formed GraphQL request.
  /// - Parameters:
  ///   - address: of the client.
  ///   - bytes: of the response.
  func observeMalformed(from address: @autoclosure () -> String?, bytes: Int) {
    guard let log = options.log, log.takesNext() else { return }
    log.append(
      RequestRecord(
        time: service.now,
        nanoseconds: 0,
        client: service.client(at: address()),
        outcome: ErrorCode.badRequest.rawValue,
        bytes: bytes
      )
    )
  }

  private func finish(_ measurement: RequestMeasurement, in context: Context, nanoseconds: UInt64) {
    guard service.allowsMeasurement(context) else { return }
    var cost: OperationCost?
    if let operation = measurement.operation {
      cost = executor.cost(of: operation, variables: measurement.variables, context: context)
    }
    measurement.finish(
      cost: cost,
      nanoseconds: nanoseconds,
      statements: service.steps(of: context),
      events: service.positionsOfEvents(of: context)
    )
  }

  /// Adds the cost to the response of a validated request. It follows from the schema's weights, so callers see it who
  /// may read the schema.
  func countCost(
    of operation: PreparedOperation,
    variables: VariableValues,
    for origin: RequestOrigin,
    in context: Context
  ) {
    guard let measurement = origin.measurement, service.allowsIntrospection(context) else { return }
    measurement.finish(
      cost: executor.cost(of: operation, variables: variables, context: context),
      limit: operation.costLimit
    )
  }

  private func appendRecord(
    _ summary: OperationSummary,
    of origin: RequestOrigin,
    in context: Context?,
    nanoseconds: UInt64
  ) {
    guard let log = options.log, let note = origin.note else { return }
    let isSlow = log.isSlow(nanoseconds)
    guard note.isSampled || isSlow else { return }
    var cost: Int?
    if let operation = note.operation, let context {
      cost = executor.cost(of: operation, variables: note.variables, context: context).map { Int($0.fields) }
    }
    log.append(
      RequestRecord(
        time: service.now,
        type: note.operation?.type,
        operation: note.operation?.name,
        nanoseconds: nanoseconds,
        cost: cost,
        client: context.map { service.client(of: $0) } ?? service.client(at: origin.caller.address),
        outcome: summary.code,
        bytes: summary.responseBytes,
        steps: isSlow ? context.map { service.steps(of: $0) } ?? [] : nil,
        trace: note.trace?.traceID
      )
    )
  }
}
