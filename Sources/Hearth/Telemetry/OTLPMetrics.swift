import Basics
import Bytes
import GraphQLTransport
import JSON

/// Metrics in the JSON encoding of the OpenTelemetry protocol.
enum OTLPMetrics {
  /// - Parameters:
  ///   - start: since when is counted, in nanoseconds since 1970.
  ///   - now: the time of the values.
  static func message(_ list: MetricList, of resource: OTLPResource, since start: UInt64, at now: UInt64) -> [UInt8] {
    var output = ByteBuffer(capacity: 32 << 10)
    resource.write(resources: "resourceMetrics", scopes: "scopeMetrics", elements: "metrics", into: &output) { output in
      for (index, metric) in list.metrics.enumerated() {
        if index > 0 { output.append(",") }
        append(metric, times: Times(start: start, now: now), to: &output)
      }
    }
    return output.array()
  }

  private struct Times {
    let start: UInt64
    let now: UInt64
  }

  private static func append(_ metric: Metric, times: Times, to output: inout ByteBuffer) {
    output.append("{\"name\":")
    output.append(jsonString: metric.name)
    output.append(",\"description\":")
    output.append(jsonString: metric.help)
    if let unit = unit(of: metric.name) {
      output.append(",\"unit\":\"")
      output.append(unit)
      output.append("\"")
    }
    switch metric.values {
    case .gauge(let samples):
      output.append(",\"gauge\":{\"dataPoints\":[")
      append(samples, times: times, to: &output)
      output.append("]}}")
    case .counter(let samples):
      output.append(",\"sum\":{\"aggregationTemporality\":2,\"isMonotonic\":true,\"dataPoints\":[")
      append(samples, times: times, to: &output)
      output.append("]}}")
    case .histogram(let histograms):
      output.append(",\"histogram\":{\"aggregationTemporality\":2,\"dataPoints\":[")
      for (index, histogram) in histograms.enumerated() {
        if index > 0 { output.append(",") }
        append(histogram, times: times, to: &output)
      }
      output.append("]}}")
    }
  }

  /// In the Unified Code for Units of Measure.
  private static func unit(of name: String) -> StaticString? {
    if name.hasSuffix("_seconds") || name.hasSuffix("_seconds_total") { return "s" }
    return name.hasSuffix("_bytes") ? "By" : nil
  }

  private static func append(_ samples: [Metric.Sample], times: Times, to output: inout ByteBuffer) {
    for (index, sample) in samples.enumerated() {
      if index > 0 { output.append(",") }
      begin(labels: sample.labels, times: times, to: &output)
      switch sample.value {
      case .integer(let value):
        output.append(",\"asInt\":\"")
        output.append(decimal: Int64(value))
        output.append("\"}")
      case .double(let value):
        output.append(",\"asDouble\":")
        output.append("\(value)}")
      }
    }
  }

  private static func append(_ histogram: Metric.Durations, times: Times, to output: inout ByteBuffer) {
    let snapshot = histogram.snapshot
    begin(labels: histogram.labels, times: times, to: &output)
    output.append(",\"count\":\"\(snapshot.count)\",\"sum\":\(snapshot.sum),\"bucketCounts\":[")
    output.append(snapshot.counts.map { "\"\($0)\"" }.joined(separator: ","))
    output.append("],\"explicitBounds\":[")
    output.append(snapshot.bounds.map { "\($0)" }.joined(separator: ","))
    output.append("]}")
  }

  private static func begin(labels: [(name: String, value: String)], times: Times, to output: inout ByteBuffer) {
    output.append("{\"startTimeUnixNano\":")
    output.append(nanoseconds: times.start)
    output.append(",\"timeUnixNano\":")
    output.append(nanoseconds: times.now)
    output.append(",\"attributes\":[")
    for (index, label) in labels.enumerated() {
      if index > 0 { output.append(",") }
      output.append(attribute: label.name, text: label.value)
    }
    output.append("]")
  }
}
