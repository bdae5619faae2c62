import Basics
import Bytes
import GraphQLTransport

/// Metrics in the messages of the OpenTelemetry protocol.
enum OTLPMetrics {
  /// The numbers of the fields of a metric. The points of each kind are its field 1.
  private enum Field {
    static let name: UInt8 = 1
    static let description: UInt8 = 2
    static let unit: UInt8 = 3
    static let gauge: UInt8 = 5
    static let sum: UInt8 = 7
    static let histogram: UInt8 = 9
  }

  /// The numbers of the fields of a point, of which those of numbers and of histograms share the times.
  private enum PointField {
    static let start: UInt8 = 2
    static let time: UInt8 = 3
    static let double: UInt8 = 4
    static let integer: UInt8 = 6
    static let attribute: UInt8 = 7
    static let histogramCount: UInt8 = 4
    static let histogramSum: UInt8 = 5
    static let histogramCounts: UInt8 = 6
    static let histogramBounds: UInt8 = 7
    static let histogramAttribute: UInt8 = 9
  }

  /// - Parameters:
  ///   - start: since when is counted, in nanoseconds since 1970.
  ///   - now: the time of the values.
  static func message(_ list: MetricList, of resource: OTLPResource, since start: UInt64, at now: UInt64) -> [UInt8] {
    var output = ByteBuffer(capacity: 16 << 10)
    resource.write(into: &output) { output in
      for metric in list.metrics {
        output.append(field: 2) { append(metric, times: Times(start: start, now: now), to: &$0) }
      }
    }
    return output.array()
  }

  private struct Times {
    let start: UInt64
    let now: UInt64
  }

  private static func append(_ metric: Metric, times: Times, to output: inout ByteBuffer) {
    output.append(field: Field.name, metric.name)
    output.append(field: Field.description, metric.help)
    if let unit = unit(of: metric.name) { output.append(field: Field.unit, unit) }
    switch metric.values {
    case .gauge(let samples):
      output.append(field: Field.gauge) { append(samples, times: times, to: &$0) }
    case .counter(let samples):
      output.append(field: Field.sum) { output in
        append(samples, times: times, to: &output)
        appendIsCumulative(to: &output)
        // It only ever grows.
        output.append(field: 3, 1)
      }
    case .histogram(let histograms):
      output.append(field: Field.histogram) { output in
        for histogram in histograms { output.append(field: 1) { append(histogram, times: times, to: &$0) } }
        appendIsCumulative(to: &output)
      }
    }
  }

  private static func appendIsCumulative(to output: inout ByteBuffer) { output.append(field: 2, 2) }

  /// In the Unified Code for Units of Measure.
  private static func unit(of name: String) -> StaticString? {
    if name.hasSuffix("_seconds") || name.hasSuffix("_seconds_total") { return "s" }
    return name.hasSuffix("_bytes") ? "By" : nil
  }

  private static func append(_ samples: [Metric.Sample], times: Times, to output: inout ByteBuffer) {
    for sample in samples {
      output.append(field: 1) { output in
        append(sample.labels, field: PointField.attribute, times: times, to: &output)
        switch sample.value {
        case .integer(let value):
          output.append(field: PointField.integer, fixed: UInt64(bitPattern: Int64(value)))
        case .double(let value): output.append(field: PointField.double, value)
        }
      }
    }
  }

  private static func append(_ histogram: Metric.Durations, times: Times, to output: inout ByteBuffer) {
    let snapshot = histogram.snapshot
    append(histogram.labels, field: PointField.histogramAttribute, times: times, to: &output)
    output.append(field: PointField.histogramCount, fixed: UInt64(snapshot.count))
    output.append(field: PointField.histogramSum, snapshot.sum)
    output.append(field: PointField.histogramCounts) { output in
      for count in snapshot.counts { output.append(littleEndian: UInt64(count)) }
    }
    output.append(field: PointField.histogramBounds) { output in
      for bound in snapshot.bounds { output.append(littleEndian: bound.bitPattern) }
    }
  }

  private static func append(
    _ labels: [(name: String, value: String)],
    field: UInt8,
    times: Times,
    to output: inout ByteBuffer
  ) {
    output.append(field: PointField.start, fixed: times.start)
    output.append(field: PointField.time, fixed: times.now)
    for label in labels {
      output.append(field: field) { output in
        output.append(field: 1, label.name)
        output.append(field: 2) { $0.append(field: 1, label.value) }
      }
    }
  }
}
