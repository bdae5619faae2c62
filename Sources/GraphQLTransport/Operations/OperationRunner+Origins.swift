import Basics
import GraphQL
import HTTP

/// The origins of requests, with what the trace and the request log need of them.
extension OperationRunner {
  /// The origin of a request, which is traced and logged unless it is only validated.
  ///
  /// Inlined, because the origin of each request over HTTP is made here: it would be copied otherwise.
  /// - Parameters:
  ///   - request: nil for an operation of a WebSocket.
  ///   - isMeasured: whether the client asks for the cost and the times of the request.
  @inline(__always)
  func makeOrigin(
    of request: HTTPRequest?,
    caller: Caller,
    purpose: RequestOrigin.Purpose = .execution,
    files: [UploadedFile] = [],
    isByGet: Bool = false,
    sink: (any SubscriptionSink)? = nil,
    incremental: IncrementalFormat? = nil,
    isMeasured: Bool = false
  ) -> RequestOrigin {
    let (note, trace) = purpose == .execution ? makeRecords(of: request) : (nil, nil)
    return RequestOrigin(
      caller: caller,
      purpose: purpose,
      files: files,
      isByGet: isByGet,
      sink: sink,
      incremental: incremental,
      note: note,
      trace: trace,
      measurement: isMeasured ? RequestMeasurement() : nil
    )
  }

  /// The origin of an operation of an event stream, whose trace began with its HTTP request.
  func makeOrigin(of operation: StreamedOperation, sink: any SubscriptionSink) -> RequestOrigin {
    RequestOrigin(
      caller: operation.caller,
      files: operation.files,
      isByGet: operation.isByGet,
      sink: sink,
      incremental: operation.incremental,
      note: makeNote(in: operation.trace?.context ?? operation.traceParent),
      trace: operation.trace
    )
  }

  /// Both are nil if the request is neither logged nor traced.
  @inline(never)
  private func makeRecords(of request: HTTPRequest?) -> (note: RequestNote?, trace: RequestTrace?) {
    let trace = makeTrace(of: request)
    return (makeNote(in: trace?.context ?? request?.traceParent), trace)
  }

  /// Nil if the request is not logged, however long it takes.
  /// - Parameter trace: nil if the request belongs to no trace. The client's header is only read for the log.
  @inline(__always)
  private func makeNote(in trace: @autoclosure () -> TraceContext?) -> RequestNote? {
    guard let log = options.log else { return nil }
    let isSampled = log.takesNext()
    guard isSampled || log.hasSlowLog else { return nil }
    return RequestNote(isSampled: isSampled, trace: trace())
  }
}
