import Foundation
import Synchronization

/// Sends pushes to the push services of browsers (RFC 8030). A service that is down does not delay the others: after a
/// failure nothing is sent to its host for some seconds, then for twice as long.
final class WebPushSender: PushSender {
  private struct Outage {
    var count: Int64 = 0
    var pausedUntil: Int64 = 0
  }

  private let settings: PushSettings
  private let key: PushKey
  private let contact: String
  private let connections = WebConnections()
  private let outages = Mutex<[String: Outage]>([:])

  /// The number of hosts that are remembered. A member can register hosts of their own only if operators accept all.
  private static let maximumOutages = 1_000

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
    if let pausedUntil = outages.withLock({ $0[origin]?.pausedUntil }), !OutagePause.isOver(pausedUntil, at: now) {
      return .postponed(until: pausedUntil)
    }
    let outcome: PushOutcome
    do {
      let request = try request(message, to: url, keys, origin: origin, at: now)
      outcome = try Self.outcome(of: request.perform(on: connections))
    } catch let failure as WebFailure {
      outcome = .failed("A push service could not be reached: \(failure.description)", isOutage: true)
    } catch {
      return .rejected("The message could not be encrypted: \(error)")
    }
    return note(outcome, of: origin, at: now)
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
    // The key or the contact is not accepted, or there are too many requests, or the service is down.
    default: .failed(failure, isOutage: true, retryAfter: response.retryAfter)
    }
  }

  /// Remembers an outage of a host, which does not pause the channel.
  private func note(_ outcome: PushOutcome, of origin: String, at now: Int64) -> PushOutcome {
    guard case .failed(let failure, _, let retryAfter) = outcome else {
      outages.withLock { $0[origin] = nil }
      return outcome
    }
    outages.withLock { outages in
      if outages.count >= Self.maximumOutages { outages = [:] }
      let known = outages[origin] ?? Outage()
      // Several threads can fail at once.
      guard OutagePause.isOver(known.pausedUntil, at: now) else { return }
      let pause = OutagePause.length(after: known.count, retryAfter: retryAfter)
      outages[origin] = Outage(count: known.count + 1, pausedUntil: now + pause)
    }
    return .failed(failure, isOutage: false, retryAfter: retryAfter)
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
