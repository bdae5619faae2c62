import Basics
import Bytes
import GraphQLTransport

/// Writes traces as spans of the OpenTelemetry protocol.
struct OTLPTraces {
  private let resource: OTLPResource
  /// By the kind of work.
  private var templates: [StepTemplate?] = []

  init(of resource: OTLPResource) { self.resource = resource }

  /// Writes a message into a buffer, whose memory later messages can use again.
  mutating func write(_ traces: some Collection<RequestTrace>, into output: inout ByteBuffer) {
    let clock = SystemClockOffset()
    resource.write(into: &output) { output in
      for trace in traces {
        output.append(field: 2) { Self.append(trace, clock: clock, to: &$0) }
        for (index, step) in trace.steps.enumerated() {
          let template = template(of: step, in: trace)
          output.append(field: 2) { Self.append(step, at: index, of: trace, template, clock: clock, to: &$0) }
        }
      }
    }
  }

  private mutating func template(of step: RequestTrace.Step, in trace: RequestTrace) -> StepTemplate {
    let kind = Int(step.work.rawValue)
    while templates.count <= kind { templates.append(nil) }
    if let known = templates[kind], known.isOf(trace.database) { return known }
    let template = StepTemplate(of: step, in: trace)
    templates[kind] = template
    return template
  }

  private static func append(_ trace: RequestTrace, clock: SystemClockOffset, to output: inout ByteBuffer) {
    output.append(field: SpanField.trace, id: (trace.context.high, trace.context.low))
    output.append(field: SpanField.id, id: trace.context.span)
    if let state = trace.state { output.append(field: SpanField.state, state) }
    if let parent = trace.parent { output.append(field: SpanField.parent, id: parent.span) }
    output.append(field: SpanField.name, trace.spanName)
    output.append(field: SpanField.kind, SpanKind.server)
    append(start: trace.start, end: trace.end, clock: clock, to: &output)
    trace.forEachAttribute { output.append(attribute: $0, $1, field: SpanField.attribute) }
    if trace.hasFailed { appendFailure(to: &output) }
  }

  private static func append(
    _ step: RequestTrace.Step,
    at index: Int,
    of trace: RequestTrace,
    _ template: StepTemplate,
    clock: SystemClockOffset,
    to output: inout ByteBuffer
  ) {
    let request = trace.context.span
    output.append(field: SpanField.trace, id: (trace.context.high, trace.context.low))
    output.append(field: SpanField.id, id: SpanID.ofStep(index, in: request))
    output.append(field: SpanField.parent, id: step.parent.map { SpanID.ofStep($0, in: request) } ?? request)
    append(start: step.start, end: max(step.start, step.end), clock: clock, to: &output)
    if template.fits(step) {
      template.append(step, of: trace, to: &output)
    } else {
      StepTemplate.appendDescription(of: step, in: trace, to: &output)
    }
    if step.hasFailed { appendFailure(to: &output) }
  }

  private static func append(start: UInt64, end: UInt64, clock: SystemClockOffset, to output: inout ByteBuffer) {
    output.append(field: SpanField.start, fixed: clock.nanosecondsSinceEpoch(of: start))
    output.append(field: SpanField.end, fixed: clock.nanosecondsSinceEpoch(of: end))
  }

  private static func appendFailure(to output: inout ByteBuffer) {
    output.append(field: SpanField.status) { $0.append(field: 3, 2) }
  }
}
