import Storage

/// How notifications leave the server. Raw values are stored in every database and must never change.
enum PushChannel: Int64, NumberedCase, CaseIterable {
  case web = 0
  case apple = 1
  case google = 2
  /// The operator's webhook.
  case webhook = 3

  /// For operators.
  var name: String { "\(self)" }

  /// How long delivery is retried, in milliseconds.
  var deliveryTimeout: Int64 { self == .webhook ? 3 * Milliseconds.day : 2 * Milliseconds.day }

  /// The number of rows that the queue of a device can have, with those that have failed. A new one then replaces the
  /// oldest: the notification itself stays in the member's list.
  var maximumQueued: Int64 { self == .webhook ? 100_000 : 100 }
}
