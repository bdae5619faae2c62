import Basics
import Bytes
import GraphQLTransport

/// Traces as spans of the OpenTelemetry protocol.
enum OTLPTraces {
  /// The numbers of the fields of a span.
  private enum Field {
    static let trace: UInt8 = 1
    static let id: UInt8 = 2
    static let state: UInt8 = 3
    static let parent: UInt8 = 4
    static let name: UInt8 = 5
    static let kind: UInt8 = 6
    static let start: UInt8 = 7
    static let end: UInt8 = 8
    static let attribute: UInt8 = 9
    static let status: UInt8 = 15
  }

  private enum Kind {
    static let `internal` = 1
    static let server = 2
    static let client = 3
  }

  /// Writes a message into a buffer, whose memory later messages can use again.
  static func write(_ traces: some Collection<RequestTrace>, of resource: OTLPResource, into output: inout ByteBuffer) {
    let clock = SystemClockOffset()
    resource.write(into: &output) { output in
      for trace in traces {
        output.append(field: 2) { append(trace, clock: clock, to: &$0) }
        for index in trace.steps.indices {
          output.append(field: 2) { append(stepAt: index, of: trace, clock: clock, to: &$0) }
        }
      }
    }
  }

  private static func append(_ trace: RequestTrace, clock: SystemClockOffset, to output: inout ByteBuffer) {
    append(idOf: trace.context, to: &output)
    output.append(field: Field.id, id: trace.context.span)
    if let state = trace.state { output.append(field: Field.state, state) }
    if let parent = trace.parent { output.append(field: Field.parent, id: parent.span) }
    output.append(field: Field.name, trace.spanName)
    output.append(field: Field.kind, Kind.server)
    append(start: trace.start, end: trace.end, clock: clock, to: &output)
    trace.forEachAttribute { output.append(attribute: $0, $1, field: Field.attribute) }
    if trace.hasFailed { appendFailure(to: &output) }
  }

  private static func append(
    stepAt index: Int,
    of trace: RequestTrace,
    clock: SystemClockOffset,
    to output: inout ByteBuffer
  ) {
    let step = trace.steps[index]
    let request = trace.context.span
    append(idOf: trace.context, to: &output)
    output.append(field: Field.id, id: SpanID.ofStep(index, in: request))
    output.append(field: Field.parent, id: step.parent.map { SpanID.ofStep($0, in: request) } ?? request)
    output.append(field: Field.name, step.spanName)
    output.append(field: Field.kind, step.isOfDatabase ? Kind.client : Kind.internal)
    append(start: step.start, end: max(step.start, step.end), clock: clock, to: &output)
    trace.forEachAttribute(of: step) { output.append(attribute: $0, $1, field: Field.attribute) }
    if step.hasFailed { appendFailure(to: &output) }
  }

  private static func append(idOf context: TraceContext, to output: inout ByteBuffer) {
    output.append(field: Field.trace) { output in
      output.append(bigEndian: context.high)
      output.append(bigEndian: context.low)
    }
  }

  private static func append(start: UInt64, end: UInt64, clock: SystemClockOffset, to output: inout ByteBuffer) {
    output.append(field: Field.start, fixed: clock.nanosecondsSinceEpoch(of: start))
    output.append(field: Field.end, fixed: clock.nanosecondsSinceEpoch(of: end))
  }

  private static func appendFailure(to output: inout ByteBuffer) {
    output.append(field: Field.status) { $0.append(field: 3, 2) }
  }
}
