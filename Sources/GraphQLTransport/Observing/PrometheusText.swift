import Basics

/// Metrics in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/).
package struct PrometheusText {
  package enum Kind: String { case counter, gauge }

  /// A value with its labels.
  package struct Sample {
    let labels: KeyValuePairs<String, String>
    let value: String

    package init(_ value: Int, _ labels: KeyValuePairs<String, String> = [:]) {
      self.labels = labels
      self.value = String(value)
    }

    package init(_ value: Double, _ labels: KeyValuePairs<String, String> = [:]) {
      self.labels = labels
      self.value = "\(value)"
    }
  }

  package private(set) var text = ""

  package init() {}

  package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    begin(name, kind: kind.rawValue, help: help)
    for sample in samples { line(name, sample.labels, sample.value) }
  }

  package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
    add(name, kind, help, [Sample(value)])
  }

  package mutating func add(
    _ name: String,
    help: String,
    _ histograms: [(labels: KeyValuePairs<String, String>, snapshot: Histogram.Snapshot)]
  ) {
    begin(name, kind: "histogram", help: help)
    for (labels, snapshot) in histograms {
      var count = 0
      for (bound, number) in zip(snapshot.bounds, snapshot.counts) {
        count += number
        line(name + "_bucket", labels, "\(count)", bound: "\(bound)")
      }
      line(name + "_bucket", labels, "\(snapshot.count)", bound: "+Inf")
      line(name + "_sum", labels, "\(snapshot.sum)")
      line(name + "_count", labels, "\(snapshot.count)")
    }
  }

  private mutating func begin(_ name: String, kind: String, help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
  }

  private mutating func line(
    _ name: String,
    _ labels: KeyValuePairs<String, String>,
    _ value: String,
    bound: String? = nil
  ) {
    var pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }
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
