import Crypto
import Foundation

/// The operator's webhook.
package struct Webhook: Sendable {
  var url: WebURL
  /// Nil while the settings are read.
  var secret: WebhookSecret?
  /// The timeout of a request, in milliseconds.
  var timeout = 10_000
}

/// The key of the webhook's signatures. Never printed.
package struct WebhookSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  let bytes: [UInt8]

  /// Parses at least 24 bytes in Base64, with or without `whsec_` in front.
  init?(_ text: String) {
    let base64 = text.hasPrefix("whsec_") ? String(text.dropFirst(6)) : text
    guard let data = Data(base64Encoded: base64), data.count >= 24 else { return nil }
    bytes = Array(data)
  }

  package var description: String { "…" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }

  /// The signature of a request (Standard Webhooks 1.0.0): an HMAC-SHA256 of its id, its time and its body.
  func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
    let signed = Data("\(id).\(seconds).".utf8) + body
    let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: bytes))
    return "v1," + Data(code).base64EncodedString()
  }
}

/// Sends what members are notified of to the operator's webhook.
final class WebhookSender: PushSender {
  private let webhook: Webhook
  private let connections = WebConnections()

  init(_ webhook: Webhook) { self.webhook = webhook }

  var longestSending: Int64 { Int64(webhook.timeout) }

  func stop() { connections.stop() }

  func send(_ message: PushMessage, to push: QueuedPush, at now: Int64) -> PushOutcome {
    let body = Self.body(message)
    let seconds = now / 1000
    let request = WebRequest(
      url: webhook.url,
      headers: [
        "content-type: application/json",
        "webhook-id: \(message.id)",
        "webhook-timestamp: \(seconds)",
        "webhook-signature: \(webhook.secret?.signature(id: message.id, seconds: seconds, body: body) ?? "")",
      ],
      body: body,
      timeout: webhook.timeout
    )
    do throws(WebFailure) {
      let response = try request.perform(on: connections)
      if (200...299).contains(response.status) { return .sent }
      // A server that is being repaired can answer anything, so every other status is tried again.
      return .failed("The webhook answered \(response.status).", isOutage: true, retryAfter: response.retryAfter)
    } catch {
      return .failed("The webhook could not be reached: \(error.description)", isOutage: true)
    }
  }

  private static func body(_ message: PushMessage) -> [UInt8] {
    var data: [String: Any] = [
      "id": message.subject, "type": message.type, "message": message.text, "recipientId": message.recipient,
      "muted": message.isMuted,
    ]
    data["quietUntil"] = message.quietUntil.map(PushMessage.text) ?? NSNull()
    return PushMessage.json([
      "type": "notification.created", "timestamp": PushMessage.text(of: message.createdAt), "data": data,
    ])
  }
}
