import Foundation

/// Sends pushes to the push services of browsers (RFC 8030). A service that is down does not delay the others, nor does
/// a device whose pushes fail: after a failure nothing is sent there for some seconds, then for twice as long.
final class WebPushSender: PushSender {
  private let settings: PushSettings
  private let key: PushKey
  private let contact: String
  private let connections = WebConnections()
  /// By origin.
  private let pauses = PushPauses()

  init(_ settings: PushSettings, key: PushKey, contact: String) {
    self.settings = settings
    self.key = key
    self.contact = contact
  }

  var longestSending: Int64 { Int64(settings.timeout) }

  func stop() { connections.stop() }

  func send(_ message: PushMessage, to push: QueuedPush, at now: Int64) -> PushOutcome {
    // The operator can have accepted other hosts when the device was registered.
    guard let url = WebURL(push.address), settings.accepts(url), let origin = url.origin,
      let keys = WebPushKeys(push.secret)
    else { return .deviceExpired }
    if let end = pauses.end(for: push, at: origin, now: now) { return .postponed(until: end) }
    let outcome: PushOutcome
    var isLimit = false
    do {
      let request = try request(message, to: url, keys, origin: origin, at: now)
      let response = try request.perform(on: connections)
      isLimit = response.status == 429
      outcome = Self.outcome(of: response)
    } catch let failure as WebFailure {
      outcome = .failed("A push service could not be reached: \(failure.description)", isOutage: true)
    } catch {
      return .rejected("The message could not be encrypted: \(error)")
    }
    return pauses.note(outcome, isLimit: isLimit, of: push, at: origin, now: now)
  }

  private func request(
    _ message: PushMessage,
    to url: WebURL,
    _ keys: WebPushKeys,
    origin: String,
    at now: Int64
  ) throws -> WebRequest {
    let text = message.text(atMost: WebPushKeys.maximumLength / 2)
    let content = message.data.merging(["message": text]) { known, _ in known }
    return WebRequest(
      url: url,
      headers: [
        "content-type: application/octet-stream",
        "content-encoding: aes128gcm",
        "ttl: \(PushMessage.lifetime)",
        "urgency: \(message.type == "ReminderNotification" || message.type == "Reminder" ? "high" : "normal")",
        // A repetition replaces the message if the device has not received it yet.
        "topic: \(message.subject.prefix(32))",
        "authorization: \(try key.authorization(for: origin, contact: contact, at: now))",
      ],
      body: try keys.encrypt(PushMessage.json(content)),
      timeout: settings.timeout,
      requiresPublicAddress: !settings.allowsPrivateHosts
    )
  }

  private static func outcome(of response: WebRequest.Response) -> PushOutcome {
    let failure = "A push service answered \(response.status)."
    return switch response.status {
    case 200...299: .sent
    case 404, 410: .deviceExpired
    case 400, 413: .rejected(failure)
    case 500...: .failed(failure, isOutage: true, retryAfter: response.retryAfter)
    // It can concern this subscription only, such as one that was made with another key (RFC 8292, section 4.2).
    default: .failed(failure, isOutage: false, retryAfter: response.retryAfter)
    }
  }
}

extension WebURL {
  /// The serialization of the origin (RFC 6454, section 6.2): the scheme, the host in lower case, and the port unless
  /// it is the default.
  var origin: String? {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host else { return nil }
    let port = parts.port == (scheme == "https" ? 443 : 80) ? nil : parts.port
    return "\(scheme)://\(host.lowercased())" + (port.map { ":\($0)" } ?? "")
  }
}
