import GraphQL

/// Measures requests for metrics and the request log.
extension OperationRunner {
  /// Records the end of a request.
  /// - Parameters:
  ///   - context: nil if the caller was not identified.
  ///   - start: when the request was received, in nanoseconds of a monotonic clock.
  @inline(never)
  func observe(
    _ outcome: borrowing OperationOutcome,
    of origin: RequestOrigin<Service>,
    _ context: Context?,
    since start: UInt64,
    until end: UInt64
  ) {
    guard origin.purpose == .execution else { return }
    let summary = OperationSummary(outcome, readsCode: origin.note != nil)
    durations.record(summary.outcome, nanoseconds: end - start)
    if let note = origin.note { appendRecord(summary, note, of: origin, context, nanoseconds: end - start) }
  }

  /// Nil if the request is not logged, however long it takes.
  func makeNote() -> RequestNote? {
    guard let log else { return nil }
    let isSampled = log.takesNext()
    return isSampled || log.hasSlowLog ? RequestNote(isSampled: isSampled) : nil
  }

  /// Records a response that is the same for every caller.
  func observeConstant(_ operation: PreparedOperation, bytes: Int, from address: @autoclosure () -> String?) {
    durations.record(.ok, nanoseconds: 0)
    guard let log, log.takesNext() else { return }
    log.append(
      RequestRecord(
        time: service.now,
        type: operation.type,
        operation: operation.name,
        nanoseconds: 0,
        cost: nil,
        client: service.client(at: address()),
        outcome: "OK",
        bytes: bytes
      )
    )
  }

  /// Records a request that is not a well-formed GraphQL request.
  func observeMalformed(from address: @autoclosure () -> String?) {
    guard let log, log.takesNext() else { return }
    log.append(
      RequestRecord(
        time: service.now,
        nanoseconds: 0,
        client: service.client(at: address()),
        outcome: ErrorCode.badRequest.rawValue,
        bytes: 0
      )
    )
  }

  private func appendRecord(
    _ summary: OperationSummary,
    _ note: RequestNote,
    of origin: RequestOrigin<Service>,
    _ context: Context?,
    nanoseconds: UInt64
  ) {
    guard let log else { return }
    let isSlow = log.isSlow(nanoseconds)
    guard note.isSampled || isSlow else { return }
    var cost: Int?
    if let operation = note.operation, let context {
      cost = executor.cost(of: operation, variables: note.variables, context: context)
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
        bytes: summary.bytes,
        steps: isSlow ? context.map { service.steps(of: $0) } ?? [] : nil
      )
    )
  }
}
