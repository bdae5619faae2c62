/// What a write returns to its mutation, as text. It is stored with the write of a request that has an idempotency key,
/// so that a repeated request can skip the write and go on after it.
///
/// A value of another type cannot be restored: the repeated request then fails with RESPONSE_NOT_KEPT.
protocol WriteOutcome {
  /// Nil if this value cannot be restored.
  var outcome: String? { get }
  init?(outcome: String)
}

extension GlobalID: WriteOutcome {
  var outcome: String? { String(rawValue) }
  init?(outcome: String) {
    guard let value = Int64(outcome) else { return nil }
    self.init(rawValue: value)
  }
}

extension Int: WriteOutcome {
  var outcome: String? { String(self) }
  init?(outcome: String) { self.init(outcome) }
}

extension Bool: WriteOutcome {
  var outcome: String? { self ? "true" : "false" }
  init?(outcome: String) { self.init(outcome) }
}

extension Optional: WriteOutcome where Wrapped: WriteOutcome {
  var outcome: String? {
    switch self {
    case nil: "-"
    case .some(let value): value.outcome.map { "+\($0)" }
    }
  }

  init?(outcome: String) {
    if outcome == "-" {
      self = .none
    } else {
      guard outcome.first == "+", let value = Wrapped(outcome: String(outcome.dropFirst())) else { return nil }
      self = .some(value)
    }
  }
}

extension Array: WriteOutcome where Element == GlobalID {
  var outcome: String? { map { String($0.rawValue) }.joined(separator: ",") }

  init?(outcome: String) {
    let keys = outcome.split(separator: ",").map { Int64($0).map(GlobalID.init(rawValue:)) }
    guard keys.allSatisfy({ $0 != nil }) else { return nil }
    self = keys.compactMap(\.self)
  }
}

/// Encodes and restores the value of any write.
enum WriteOutcomes {
  private static let nothing = "done"

  /// Empty if the value cannot be restored.
  static func bytes<Value>(of value: Value) -> [UInt8] {
    if value is Void { return Array(nothing.utf8) }
    return Array(((value as? any WriteOutcome)?.outcome ?? "").utf8)
  }

  static func value<Value>(of bytes: [UInt8]) -> Value? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.isEmpty else { return nil }
    if text == nothing, let value = () as? Value { return value }
    guard let type = Value.self as? any WriteOutcome.Type else { return nil }
    return type.init(outcome: text) as? Value
  }
}
