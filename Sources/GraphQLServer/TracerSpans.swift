import Basics
import GraphQLTransport
import HTTP
import ServiceContextModule
import Tracing

/// Passes requests as spans to the tracer with which the application has bootstrapped swift-distributed-tracing.
///
/// The span of the request begins with it, and resolvers find it in `ServiceContext.current`. The spans of its steps
/// are made after the response, with the times at which they were recorded.
final class TracerSpans: RequestTracing {
  private let tracer: any Tracer

  /// Nil if the application has bootstrapped none, so that a request costs nothing more.
  init?() {
    let tracer = InstrumentationSystem.tracer
    guard !(tracer is NoOpTracer) else { return nil }
    self.tracer = tracer
  }

  func begin(_ request: HTTPRequest?, route: String) -> RequestTrace? {
    var context = ServiceContext.topLevel
    if let request { tracer.extract(request, into: &context, using: HeaderExtractor()) }
    let span: any Span = tracer.startSpan("GraphQL", context: context, ofKind: .server)
    // The ids are those of the application's tracer, which only that knows.
    let unknown = TraceContext(high: 0, low: 0, span: 0, isSampled: span.isRecording)
    let trace = RequestTrace(unknown, parent: nil, state: nil, method: request?.tracedMethod ?? "", route: route)
    trace.attachment = span
    return trace
  }

  func within(_ trace: RequestTrace, _ body: () -> Void) {
    guard let span = trace.attachment as? any Span else { return body() }
    ServiceContext.withValue(span.context) { body() }
  }

  func within(_ trace: RequestTrace, _ body: () async -> Void) async {
    guard let span = trace.attachment as? any Span else { return await body() }
    await ServiceContext.withValue(span.context) { await body() }
  }

  func end(_ trace: RequestTrace) {
    guard let span = trace.attachment as? any Span else { return }
    trace.attachment = nil
    guard span.isRecording else { return span.end() }
    span.operationName = trace.spanName
    var attributes: SpanAttributes = [:]
    trace.forEachAttribute { attributes.add($0, $1) }
    span.attributes = attributes
    if trace.hasFailed { span.setStatus(SpanStatus(code: .error)) }
    let clock = SystemClockOffset()
    var parents: [ServiceContext] = []
    for step in trace.steps {
      let context = step.parent.map { parents[$0] } ?? span.context
      let child: any Span = tracer.startSpan(
        "\(step.spanName)",
        context: context,
        ofKind: step.isOfDatabase ? .client : .internal,
        at: clock.instant(of: step.start)
      )
      var attributes: SpanAttributes = [:]
      trace.forEachAttribute(of: step) { attributes.add($0, $1) }
      child.attributes = attributes
      if step.hasFailed { child.setStatus(SpanStatus(code: .error)) }
      parents.append(child.context)
      child.end(at: clock.instant(of: max(step.start, step.end)))
    }
    span.end(at: clock.instant(of: trace.end))
  }
}

extension SystemClockOffset {
  fileprivate func instant(of time: UInt64) -> DefaultTracerClock.Timestamp {
    DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: nanosecondsSinceEpoch(of: time))
  }
}

extension SpanAttributes {
  fileprivate mutating func add(_ name: StaticString, _ value: TraceValue) {
    switch value {
    case .fixed(let text): set("\(name)", value: .string("\(text)"))
    case .text(let text): set("\(name)", value: .string(text))
    case .number(let number): set("\(name)", value: .int64(Int64(number)))
    }
  }
}

/// Reads headers for a tracer.
private struct HeaderExtractor: Extractor {
  /// Longer values are not read: the longest that a standard names has 8,192 bytes.
  private static let maximumBytes = 8_192

  func extract(key: String, from request: HTTPRequest) -> String? {
    request.firstValue(ofHeader: key.lowercased(), upTo: Self.maximumBytes)?.text
  }
}
