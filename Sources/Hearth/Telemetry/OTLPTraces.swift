import Basics
import Bytes
import GraphQLTransport
import JSON

/// Traces as spans in the JSON encoding of the OpenTelemetry protocol.
enum OTLPTraces {
  /// Writes a message into a buffer, whose memory later messages can use again.
  static func write(_ traces: some Collection<RequestTrace>, of resource: OTLPResource, into output: inout ByteBuffer) {
    let clock = SystemClockOffset()
    resource.write(resources: "resourceSpans", scopes: "scopeSpans", elements: "spans", into: &output) { output in
      var isFirst = true
      for trace in traces {
        if !isFirst { output.append(literal: ",") }
        isFirst = false
        append(trace, clock: clock, to: &output)
      }
    }
  }

  private static func append(_ trace: RequestTrace, clock: SystemClockOffset, to output: inout ByteBuffer) {
    let context = trace.context
    let start = output.count
    output.append(literal: "{\"traceId\":\"")
    output.append(hexadecimal: context.high)
    output.append(hexadecimal: context.low)
    output.append(literal: "\",\"spanId\":\"")
    let head = start..<output.count
    output.append(hexadecimal: context.span)
    if let parent = trace.parent {
      output.append(literal: "\",\"parentSpanId\":\"")
      output.append(hexadecimal: parent.span)
    }
    if let state = trace.state {
      output.append(literal: "\",\"traceState\":")
      output.append(jsonString: state)
      output.append(literal: ",\"kind\":2,\"name\":")
    } else {
      output.append(literal: "\",\"kind\":2,\"name\":")
    }
    output.append(jsonString: trace.spanName)
    append(start: trace.start, end: trace.end, clock: clock, to: &output)
    var writer = AttributeWriter(output: consume output)
    trace.forEachAttribute { writer.append($0, $1) }
    output = writer.finish()
    output.append(literal: trace.hasFailed ? ",\"status\":{\"code\":2}}" : "}")
    for (index, step) in trace.steps.enumerated() {
      output.append(literal: ",")
      // All spans of a trace begin with the same bytes.
      output.append(copyOf: head)
      output.append(hexadecimal: SpanID.ofStep(index, in: context.span))
      output.append(literal: "\",\"parentSpanId\":\"")
      output.append(hexadecimal: step.parent.map { SpanID.ofStep($0, in: context.span) } ?? context.span)
      output.append(literal: step.isOfDatabase ? "\",\"kind\":3,\"name\":\"" : "\",\"kind\":1,\"name\":\"")
      output.append(step.spanName)
      output.append(literal: "\"")
      append(start: step.start, end: max(step.start, step.end), clock: clock, to: &output)
      var writer = AttributeWriter(output: consume output)
      trace.forEachAttribute(of: step) { writer.append($0, $1) }
      output = writer.finish()
      output.append(literal: step.hasFailed ? ",\"status\":{\"code\":2}}" : "}")
    }
  }

  private static func append(
    start: UInt64,
    end: UInt64,
    clock: SystemClockOffset,
    to output: inout ByteBuffer
  ) {
    output.append(literal: ",\"startTimeUnixNano\":")
    output.append(nanoseconds: clock.nanosecondsSinceEpoch(of: start))
    output.append(literal: ",\"endTimeUnixNano\":")
    output.append(nanoseconds: clock.nanosecondsSinceEpoch(of: end))
  }
}

/// Writes the attributes of a span.
private struct AttributeWriter: ~Copyable {
  private var output: ByteBuffer
  private var isEmpty = true

  init(output: consuming ByteBuffer) { self.output = output }

  mutating func append(_ name: StaticString, _ value: TraceValue) {
    output.append(literal: isEmpty ? ",\"attributes\":[{\"key\":\"" : ",{\"key\":\"")
    isEmpty = false
    output.append(name)
    switch value {
    case .fixed(let text):
      output.append(literal: "\",\"value\":{\"stringValue\":\"")
      output.append(text)
      output.append(literal: "\"}}")
    case .text(let text):
      output.append(literal: "\",\"value\":{\"stringValue\":")
      output.append(jsonString: text)
      output.append(literal: "}}")
    case .number(let number):
      output.append(literal: "\",\"value\":{\"intValue\":\"")
      output.append(decimal: Int64(number))
      output.append(literal: "\"}}")
    }
  }

  consuming func finish() -> ByteBuffer {
    if !isEmpty { output.append(literal: "]") }
    return output
  }
}

extension ByteBuffer {
  /// Appends text of the source code. Without a label a literal would be a `String`, which costs more to append.
  fileprivate mutating func append(literal text: StaticString) { append(text) }
}
