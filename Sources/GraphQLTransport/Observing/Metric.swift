import Basics

/// A metric with its values at one moment. Each is declared where it is added to a `MetricList`; the formats in which
/// metrics leave the server derive from that.
package struct Metric: Sendable {
  package enum Number: Sendable {
    case integer(Int)
    case double(Double)
  }

  /// A value with its labels.
  package struct Sample: Sendable {
    package let labels: [(name: String, value: String)]
    package let value: Number

    package init(_ value: Int, labels: KeyValuePairs<String, String> = [:]) {
      self.labels = labels.map { ($0, $1) }
      self.value = .integer(value)
    }

    package init(_ value: Double, labels: KeyValuePairs<String, String> = [:]) {
      self.labels = labels.map { ($0, $1) }
      self.value = .double(value)
    }
  }

  /// The durations with the same labels.
  package struct Durations: Sendable {
    package let labels: [(name: String, value: String)]
    package let snapshot: Histogram.Snapshot
  }

  package enum Values: Sendable {
    case counter([Sample])
    case gauge([Sample])
    case histogram([Durations])
  }

  package let name: String
  package let help: String
  package let values: Values
}

/// The metrics of a server at one moment.
package struct MetricList: Sendable {
  package enum Kind { case counter, gauge }

  package private(set) var metrics: [Metric] = []

  package init() {}

  package mutating func add(_ name: String, kind: Kind, help: String, samples: [Metric.Sample]) {
    metrics.append(Metric(name: name, help: help, values: kind == .counter ? .counter(samples) : .gauge(samples)))
  }

  package mutating func add(_ name: String, kind: Kind, help: String, value: Int) {
    add(name, kind: kind, help: help, samples: [Metric.Sample(value)])
  }

  package mutating func add(
    _ name: String,
    help: String,
    _ histograms: [(labels: KeyValuePairs<String, String>, snapshot: Histogram.Snapshot)]
  ) {
    let durations = histograms.map { histogram in
      Metric.Durations(labels: histogram.labels.map { ($0, $1) }, snapshot: histogram.snapshot)
    }
    metrics.append(Metric(name: name, help: help, values: .histogram(durations)))
  }
}
