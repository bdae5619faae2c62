import Basics
import Bytes
import GraphQLTransport
import JSON

/// Traces as spans in the JSON encoding of the OpenTelemetry protocol.
enum OTLPTraces {
  static func message(_ traces: some Collection<RequestTrace>, of resource: OTLPResource) -> [UInt8] {
    let clock = SystemClockOffset()
    var output = ByteBuffer(capacity: 4_096 * max(1, traces.count))
    resource.write(resources: "resourceSpans", scopes: "scopeSpans", elements: "spans", into: &output) { output in
      var isFirst = true
      for trace in traces {
        if !isFirst { output.append(",") }
        isFirst = false
        append(trace, clock: clock, to: &output)
      }
    }
    return output.array()
  }

  private static func append(_ trace: RequestTrace, clock: SystemClockOffset, to output: inout ByteBuffer) {
    let context = trace.context
    begin(context, span: context.span, parent: trace.parent?.span, to: &output)
    if let state = trace.state {
      output.append(",\"traceState\":")
      output.append(jsonString: state)
    }
    output.append(",\"kind\":2,\"name\":")
    output.append(jsonString: trace.spanName)
    append(start: trace.start, end: trace.end, clock: clock, to: &output)
    var writer = AttributeWriter(output: consume output)
    trace.forEachAttribute { writer.append($0, $1) }
    output = writer.finish()
    output.append(trace.hasFailed ? ",\"status\":{\"code\":2}}" : "}")
    for (index, step) in trace.steps.enumerated() {
      output.append(",")
      let parent = step.parent.map { SpanID.ofStep($0, in: context.span) } ?? context.span
      begin(context, span: SpanID.ofStep(index, in: context.span), parent: parent, to: &output)
      output.append(step.isOfDatabase ? ",\"kind\":3,\"name\":\"" : ",\"kind\":1,\"name\":\"")
      output.append(step.spanName)
      output.append("\"")
      append(start: step.start, end: max(step.start, step.end), clock: clock, to: &output)
      var writer = AttributeWriter(output: consume output)
      trace.forEachAttribute(of: step) { writer.append($0, $1) }
      output = writer.finish()
      output.append(step.hasFailed ? ",\"status\":{\"code\":2}}" : "}")
    }
  }

  private static func begin(_ context: TraceContext, span: UInt64, parent: UInt64?, to output: inout ByteBuffer) {
    output.append("{\"traceId\":\"")
    output.append(hexadecimal: context.high)
    output.append(hexadecimal: context.low)
    output.append("\",\"spanId\":\"")
    output.append(hexadecimal: span)
    if let parent {
      output.append("\",\"parentSpanId\":\"")
      output.append(hexadecimal: parent)
    }
    output.append("\"")
  }

  private static func append(
    start: UInt64,
    end: UInt64,
    clock: SystemClockOffset,
    to output: inout ByteBuffer
  ) {
    output.append(",\"startTimeUnixNano\":")
    output.append(nanoseconds: clock.nanosecondsSinceEpoch(of: start))
    output.append(",\"endTimeUnixNano\":")
    output.append(nanoseconds: clock.nanosecondsSinceEpoch(of: end))
  }
}

/// Writes the attributes of a span.
private struct AttributeWriter: ~Copyable {
  private var output: ByteBuffer
  private var isEmpty = true

  init(output: consuming ByteBuffer) { self.output = output }

  mutating func append(_ name: StaticString, _ value: TraceValue) {
    output.append(isEmpty ? ",\"attributes\":[{\"key\":\"" : ",{\"key\":\"")
    isEmpty = false
    output.append(name)
    switch value {
    case .fixed(let text):
      output.append("\",\"value\":{\"stringValue\":\"")
      output.append(text)
      output.append("\"}}")
    case .text(let text):
      output.append("\",\"value\":{\"stringValue\":")
      output.append(jsonString: text)
      output.append("}}")
    case .number(let number):
      output.append("\",\"value\":{\"intValue\":\"")
      output.append(decimal: Int64(number))
      output.append("\"}}")
    }
  }

  consuming func finish() -> ByteBuffer {
    if !isEmpty { output.append("]") }
    return output
  }
}
