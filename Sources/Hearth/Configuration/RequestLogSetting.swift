import GraphQLTransport

extension RequestLog.Options {
  /// Parses `off`, `text` or `json`, and `text:N` or `json:N` for one of N requests. Returns false for other texts.
  mutating func set(_ text: String) -> Bool {
    if text == "off" {
      interval = nil
      return true
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let format = RequestLog.Format(rawValue: String(first)) else { return false }
    let given = parts.count == 1 ? 1 : Int(parts[1])
    guard let given, (1...1_000_000_000).contains(given) else { return false }
    self.format = format
    interval = given
    return true
  }

  /// Parses `off` or a number of milliseconds. Returns false for other texts.
  mutating func set(slow text: String) -> Bool {
    if text == "off" {
      slowNanoseconds = nil
      return true
    }
    guard let milliseconds = UInt64(text), (1...3_600_000).contains(milliseconds) else { return false }
    slowNanoseconds = milliseconds * 1_000_000
    return true
  }

  /// Whether anything is logged.
  var isOn: Bool { interval != nil || slowNanoseconds != nil }
}
