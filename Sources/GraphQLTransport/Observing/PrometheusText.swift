import Basics

/// Metrics in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/).
struct PrometheusText {
  private(set) var text = ""

  init(_ list: MetricList) {
    for metric in list.metrics {
      switch metric.values {
      case .counter(let samples): append(metric, kind: "counter", samples: samples)
      case .gauge(let samples): append(metric, kind: "gauge", samples: samples)
      case .histogram(let histograms):
        begin(metric, kind: "histogram")
        for histogram in histograms { append(histogram, of: metric.name) }
      }
    }
  }

  private mutating func append(_ metric: Metric, kind: String, samples: [Metric.Sample]) {
    begin(metric, kind: kind)
    for sample in samples {
      switch sample.value {
      case .integer(let value): line(metric.name, labels: sample.labels, value: "\(value)")
      case .double(let value): line(metric.name, labels: sample.labels, value: "\(value)")
      }
    }
  }

  private mutating func append(_ histogram: Metric.Durations, of name: String) {
    let (labels, snapshot) = (histogram.labels, histogram.snapshot)
    var count = 0
    for (bound, number) in zip(snapshot.bounds, snapshot.counts) {
      count += number
      line(name + "_bucket", labels: labels, value: "\(count)", bound: "\(bound)")
    }
    line(name + "_bucket", labels: labels, value: "\(snapshot.count)", bound: "+Inf")
    line(name + "_sum", labels: labels, value: "\(snapshot.sum)")
    line(name + "_count", labels: labels, value: "\(snapshot.count)")
  }

  private mutating func begin(_ metric: Metric, kind: String) {
    text += "# HELP \(metric.name) \(metric.help)\n# TYPE \(metric.name) \(kind)\n"
  }

  private mutating func line(
    _ name: String,
    labels: [(name: String, value: String)],
    value: String,
    bound: String? = nil
  ) {
    var pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
    if let bound { pairs.append("le=\"\(bound)\"") }
    text += name + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " \(value)\n"
  }

  private static func escaped(_ value: String) -> String {
    String(
      value.flatMap { character -> String in
        switch character {
        case "\\": "\\\\"
        case "\"": "\\\""
        case "\n": "\\n"
        default: String(character)
        }
      }
    )
  }
}
