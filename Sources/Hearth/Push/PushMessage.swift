import Foundation

/// What is sent to a device or to the operator's webhook.
struct PushMessage: Sendable {
  /// How long a push service keeps a message for a device that is offline, in seconds.
  static let lifetime = 86_400

  /// Equal in all attempts and on all devices of the recipient, by which receivers recognize repetitions.
  let id: String
  /// The id of the notification or reminder.
  let subject: String
  /// The type of the subject in the schema.
  let type: String
  /// A sentence for the recipient.
  let text: String
  let createdAt: Int64
  /// The id of the recipient's `Person` or `Child`.
  let recipient: String
  /// Whether the recipient does not want to be notified of this kind. For the webhook alone: devices get no such push.
  var isMuted = false
  /// When the recipient's quiet hours end. For the webhook alone.
  var quietUntil: Int64?

  /// The data that apps read, without the text.
  var data: [String: String] { ["id": subject, "type": type, "createdAt": Self.text(of: createdAt)] }

  /// The sentence, without the characters that exceed a number of bytes.
  func text(atMost bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var rest = bytes
    return String(
      text.prefix { character in
        rest -= character.utf8.count
        return rest >= 0
      }
    )
  }

  static func text(of moment: Int64) -> String {
    Date(timeIntervalSince1970: Double(moment) / 1000).ISO8601Format(.init(includingFractionalSeconds: true))
  }

  /// Members are in a fixed order, so that equal messages have equal bytes.
  static func json(_ object: [String: Any]) -> [UInt8] {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    return (try? JSONSerialization.data(withJSONObject: object, options: options)).map(Array.init) ?? []
  }
}

/// What to do with a queued push.
enum PushDecision: Sendable {
  case send(PushMessage)
  /// It is not needed any more.
  case drop
  /// It has to wait, as in the recipient's quiet hours.
  case hold(until: Int64)
}

/// The outcome of an attempt.
enum PushOutcome: Sendable {
  case sent
  /// The service does not know the device any more.
  case deviceExpired
  /// No attempt for this push can succeed.
  case rejected(String)
  /// It is tried again. An outage concerns all pushes of the channel, which then wait.
  case failed(String, isOutage: Bool, retryAfter: Int64? = nil)
  /// There was no attempt, because the service or the device is paused until then.
  case postponed(until: Int64)
}

/// Sends pushes of one channel.
protocol PushSender: Sendable {
  /// The longest time that `send` takes, in milliseconds.
  var longestSending: Int64 { get }

  /// Sends a push. Blocks, so it must not be called on a loop. Called on several threads.
  func send(_ message: PushMessage, to push: QueuedPush, at now: Int64) -> PushOutcome

  /// Cancels what is being sent.
  func stop()
}
