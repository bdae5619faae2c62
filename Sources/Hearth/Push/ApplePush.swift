import Crypto
import Foundation
import Synchronization

/// The operator's key for Apple's push service.
package struct ApplePushSettings: Sendable {
  /// The content of the `.p8` file.
  var key: P256.Signing.PrivateKey
  var keyID = ""
  var teamID = ""
  /// The bundle id of the app.
  var topic = ""
  var url = "https://api.push.apple.com"
  var sandboxURL = "https://api.sandbox.push.apple.com"
  /// A file of trusted certificates; nil for those of the system. For tests.
  var authorities: String?

  /// Parses a key in PEM.
  init?(key text: String) {
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: text) else { return nil }
    self.key = key
  }
}

/// Sends pushes to Apple's push service by HTTP/2, with tokens (APNs).
final class ApplePushSender: PushSender {
  private struct Token {
    var text = ""
    var issuedAt: Int64 = .min
  }

  /// Apple rejects tokens that are older than an hour, and clients that renew them within 20 minutes.
  private static let lifetime: Int64 = 40 * Milliseconds.minute

  private let settings: ApplePushSettings
  private let timeout: Int
  private let connections = WebConnections()
  private let token = Mutex(Token())
  /// Outages of the sandbox do not pause the channel.
  private let sandboxPauses = PushPauses()

  init(_ settings: ApplePushSettings, timeout: Int) {
    self.settings = settings
    self.timeout = timeout
  }

  var longestSending: Int64 { Int64(timeout) }

  func stop() { connections.stop() }

  func send(_ message: PushMessage, to push: QueuedPush, at now: Int64) -> PushOutcome {
    guard push.isSandbox else { return attempt(message, to: push, at: now) }
    // Any member can register a device of the sandbox. Devices of apps from the store do not wait while it is down.
    if let end = sandboxPauses.end(for: push, at: settings.sandboxURL, now: now) { return .postponed(until: end) }
    let outcome = attempt(message, to: push, at: now)
    return sandboxPauses.note(outcome, isLimit: false, of: push, at: settings.sandboxURL, now: now)
  }

  private func attempt(_ message: PushMessage, to push: QueuedPush, at now: Int64) -> PushOutcome {
    guard let url = WebURL("\(push.isSandbox ? settings.sandboxURL : settings.url)/3/device/\(push.address)") else {
      return .deviceExpired
    }
    do {
      let request = WebRequest(
        url: url,
        headers: [
          "content-type: application/json",
          "authorization: bearer \(try token(at: now))",
          "apns-topic: \(settings.topic)",
          "apns-push-type: alert",
          "apns-priority: 10",
          "apns-expiration: \(now / 1000 + Int64(PushMessage.lifetime))",
          // A repetition replaces the notification on the device.
          "apns-collapse-id: \(message.subject.prefix(64))",
        ],
        body: Self.body(message),
        timeout: timeout,
        usesHTTP2: true,
        authorities: settings.authorities
      )
      return outcome(of: try request.perform(on: connections))
    } catch let failure as WebFailure {
      return .failed("Apple's service could not be reached: \(failure.description)", isOutage: true)
    } catch {
      return .failed("The token for Apple's service could not be signed: \(error)", isOutage: true)
    }
  }

  private static func body(_ message: PushMessage) -> [UInt8] {
    // The service accepts 4,096 bytes.
    let text = message.text(atMost: 2_000)
    return PushMessage.json([
      "aps": ["alert": ["body": text], "sound": "default"], "hearth": message.data,
    ])
  }

  private func token(at now: Int64) throws -> String {
    try token.withLock { token in
      if now - Self.lifetime < token.issuedAt, token.issuedAt <= now { return token.text }
      let claims = PushMessage.json(["iss": settings.teamID, "iat": now / 1000])
      token.text = try JSONWebToken.text(claims: claims, signedBy: settings.key, keyID: settings.keyID)
      token.issuedAt = now
      return token.text
    }
  }

  private func outcome(of response: WebRequest.Response) -> PushOutcome {
    guard response.status != 200 else { return .sent }
    let answer = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    let reason = (answer?["reason"] as? String)?.prefix(60) ?? "no reason"
    let failure = "Apple's service answered \(response.status): \(reason)."
    switch (response.status, reason) {
    case (410, _), (400, "BadDeviceToken"): return .deviceExpired
    // DeviceTokenNotForTopic among them: with the bundle id of another app, it is the reason for every device.
    case (400, _), (404, _), (405, _), (413, _): return .rejected(failure)
    // The key is not for the environment of this device: the sandbox, or that of apps from the store.
    case (403, _) where reason.hasPrefix("BadEnvironmentKey"): return .failed(failure, isOutage: false)
    case (403, _):
      // Other reasons are the same with a new token, and Apple rejects all pushes after too many new ones.
      if reason == "ExpiredProviderToken" { token.withLock { $0 = Token() } }
      return .failed(failure, isOutage: true)
    // Too many requests for this device.
    case (429, "TooManyRequests"): return .failed(failure, isOutage: false)
    default: return .failed(failure, isOutage: true, retryAfter: response.retryAfter)
    }
  }
}
