import Foundation

/// Where traces and metrics are sent.
package struct TelemetrySettings: Sendable {
  /// The base of the collector's URLs; nil if nothing is sent.
  package var endpoint: WebURL?
  package var headers = TelemetryHeaders()
  /// The share of requests that are traced, of those whose client has not decided that.
  package var ratio = 0.1
  /// The time between two exports of metrics, in milliseconds.
  var metricsInterval = 60_000
  /// The longest time that a trace waits for others, in milliseconds.
  var batchInterval = 1_000
  /// The timeout of a request to the collector, in milliseconds.
  var timeout = 5_000
  /// The wait before the second attempt, in milliseconds. It doubles with each further one.
  var firstRetry = 1_000
  /// The maximum number of traces that wait to be sent.
  var queueLimit = 2_048

  package init() {}
}

/// The headers of requests to the collector, which can contain a key. Never printed.
package struct TelemetryHeaders: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Lines such as `api-key: …`.
  let lines: [String]

  package init() { lines = [] }

  /// Parses `name=value` pairs that are separated by commas. Values are percent-encoded where they contain commas.
  init?(_ text: String) {
    var lines: [String] = []
    for pair in text.split(separator: ",") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let value = parts[1].trimmingWhitespace.removingPercentEncoding else { return nil }
      let name = parts[0].trimmingWhitespace
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isInName), value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
      else { return nil }
      lines.append("\(name): \(value)")
    }
    self.lines = lines
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  package var description: String { "…" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Substring {
  fileprivate var trimmingWhitespace: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
