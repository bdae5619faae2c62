import Foundation
import Testing

/// Metrics in the text format of Prometheus, read strictly: anything that the format does not allow is an error.
struct PrometheusMetrics {
  struct Family {
    let name: String
    let help: String
    let type: String
    /// The names of its labels, without `le` of histograms.
    var labels: [String] = []
  }

  struct Sample {
    let name: String
    let labels: [String: String]
    let value: Double
  }

  private struct Series: Hashable {
    let name: String
    let labels: [String: String]
  }

  private(set) var families: [Family] = []
  private(set) var samples: [Sample] = []
  /// The samples of each family, in the order of `families`.
  private var samplesByFamily: [[Sample]] = []
  private var known: Set<Series> = []

  /// The value of a sample; NaN if there is none.
  subscript(_ name: String, _ labels: [String: String] = [:]) -> Double {
    samples.first { $0.name == name && $0.labels == labels }?.value ?? .nan
  }

  init(_ text: String) throws {
    try #require(text.hasSuffix("\n"), "the last line has no end")
    var help: (name: String, text: String)?
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      if let match = line.wholeMatch(of: /# HELP ([a-z_][a-z0-9_]*) (\S.*)/) {
        try #require(help == nil, "\(line): HELP without TYPE")
        help = (String(match.1), String(match.2))
      } else if let match = line.wholeMatch(of: /# TYPE ([a-z_][a-z0-9_]*) (counter|gauge|histogram)/) {
        let given = try #require(help, "\(line): TYPE without HELP")
        help = nil
        try #require(given.name == match.1, "\(line)")
        try #require(!families.contains { $0.name == given.name }, "\(line): twice")
        families.append(Family(name: given.name, help: given.text, type: String(match.2)))
        samplesByFamily.append([])
      } else {
        try #require(help == nil, "\(line): HELP without TYPE")
        try append(line)
      }
    }
    for (family, own) in zip(families, samplesByFamily) { try check(family, samples: own) }
  }

  private mutating func append(_ line: Substring) throws {
    let form = /([a-z_][a-z0-9_]*)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\n"])*",?)+)\})? (\S+)/
    let match = try #require(line.wholeMatch(of: form), "\(line) is no sample")
    let value = try #require(Double(match.3), "\(line): the value is no number")
    var labels: [String: String] = [:]
    for pair in (match.2 ?? "").matches(of: /([a-z_]+)="((?:[^"\\]|\\.)*)"/) {
      try #require(labels.updateValue(String(pair.2), forKey: String(pair.1)) == nil, "\(line): a label twice")
    }
    let name = String(match.1)
    let index = try #require(families.indices.last, "\(line): a sample without a type")
    let family = families[index]
    let base = family.type == "histogram" ? name.replacing(/_(bucket|sum|count)$/, with: "") : name
    try #require(base == family.name, "\(line): not next to its type")
    try #require((labels["le"] != nil) == name.hasSuffix("_bucket"), "\(line): only buckets have bounds")
    families[index].labels = labels.keys.filter { $0 != "le" }.sorted()
    let sample = Sample(name: name, labels: labels, value: value)
    try #require(known.insert(Series(name: name, labels: labels)).inserted, "\(line): twice")
    samples.append(sample)
    samplesByFamily[index].append(sample)
  }

  /// Conventions: units at the end of names, and histograms whose buckets rise to the count.
  private func check(_ family: Family, samples own: [Sample]) throws {
    if family.type == "counter" { try #require(family.name.hasSuffix("_total"), "\(family.name)") }
    if family.type != "counter" { try #require(!family.name.hasSuffix("_total"), "\(family.name)") }
    try #require(!own.isEmpty, "\(family.name) has no samples")
    for sample in own where sample.name.hasSuffix("_total") { try #require(sample.value >= 0, "\(sample)") }
    guard family.type == "histogram" else { return }
    try #require(family.name.hasSuffix("_seconds"), "\(family.name)")
    let series = Set(own.map { $0.labels.filter { $0.key != "le" } })
    for labels in series {
      let buckets = own.filter { sample in
        sample.name == family.name + "_bucket" && sample.labels.filter { $0.key != "le" } == labels
      }
      let bounds = try buckets.map { sample in
        sample.labels["le"] == "+Inf" ? .infinity : try #require(Double(sample.labels["le"] ?? ""), "\(sample)")
      }
      try #require(bounds == bounds.sorted() && Set(bounds).count == bounds.count, "\(family.name): \(bounds)")
      try #require(bounds.last == .infinity, "\(family.name) has no last bucket")
      let counts = buckets.map(\.value)
      try #require(counts == counts.sorted(), "\(family.name): buckets are cumulative")
      try #require(counts.last == self[family.name + "_count", labels], "\(family.name): \(labels)")
      try #require(self[family.name + "_sum", labels] >= 0, "\(family.name): \(labels)")
    }
  }
}
