import CryptoExtras
import Foundation
import Synchronization

/// The operator's service account for Google's push service.
package struct GooglePushSettings: Sendable {
  private struct File: Decodable {
    let projectId: String
    let privateKey: String
    let privateKeyId: String?
    let clientEmail: String
    let tokenUri: String
  }

  let project: String
  let account: String
  let key: _RSA.Signing.PrivateKey
  let keyID: String?
  let tokenURL: WebURL
  var url = "https://fcm.googleapis.com"

  /// Google's JSON has names with underscores.
  fileprivate static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }

  /// Parses the JSON file of a service account.
  init?(_ json: Data) {
    guard let file = try? Self.decoder.decode(File.self, from: json),
      let key = try? _RSA.Signing.PrivateKey(pemRepresentation: file.privateKey),
      let tokenURL = WebURL(file.tokenUri)
    else { return nil }
    project = file.projectId
    account = file.clientEmail
    self.key = key
    keyID = file.privateKeyId
    self.tokenURL = tokenURL
  }
}

/// Sends pushes to Google's push service (FCM, HTTP v1), with access tokens of a service account (RFC 7523).
final class GooglePushSender: PushSender {
  private struct Token {
    var text = ""
    var expiresAt: Int64 = .min
    /// Why the last request for a token failed, and when.
    var failure: (error: any Error, at: ContinuousClock.Instant)?
  }

  private struct Granted: Decodable {
    let accessToken: String
    let expiresIn: Int64?
  }

  private struct Answer: Decodable {
    struct Failure: Decodable {
      struct Detail: Decodable {
        struct Violation: Decodable { let field: String? }
        let errorCode: String?
        let fieldViolations: [Violation]?
        /// The status of Apple's service, if it has rejected the message.
        let statusCode: Int?
      }
      let status: String?
      let message: String?
      let details: [Detail]?

      /// Whether the registration token is malformed. The code is also that of other malformed fields, so the field
      /// or the documented message decides. An error of Apple's service can come from the settings of the project.
      var isOfToken: Bool {
        let details = details ?? []
        guard details.allSatisfy({ $0.statusCode == nil }) else { return false }
        return message == "The registration token is not a valid FCM registration token"
          || details.contains { $0.fieldViolations?.contains { $0.field == "message.token" } ?? false }
      }
    }
    let error: Failure?
  }

  private static let scope = "https://www.googleapis.com/auth/firebase.messaging"

  private let settings: GooglePushSettings
  private let timeout: Int
  private let connections = WebConnections()
  private let token = Mutex(Token())
  /// Pauses of devices, and of a project that is limited. Outages pause the channel.
  private let pauses = PushPauses()

  init(_ settings: GooglePushSettings, timeout: Int) {
    self.settings = settings
    self.timeout = timeout
  }

  /// A request for a token can precede that of the push.
  var longestSending: Int64 { Int64(timeout) * 2 }

  func stop() { connections.stop() }

  func send(_ message: PushMessage, to push: QueuedPush, at now: Int64) -> PushOutcome {
    guard let url = WebURL("\(settings.url)/v1/projects/\(settings.project)/messages:send") else {
      return .rejected("The project of the service account is not valid.")
    }
    if let end = pauses.end(for: push, at: settings.url, now: now) { return .postponed(until: end) }
    do {
      let request = WebRequest(
        url: url,
        headers: ["content-type: application/json", "authorization: Bearer \(try accessToken(at: now))"],
        body: Self.body(message, to: push.address),
        timeout: timeout,
        usesHTTP2: true
      )
      let response = try request.perform(on: connections)
      let outcome = outcome(of: response)
      if case .failed(_, isOutage: true, retryAfter: _) = outcome { return outcome }
      return pauses.note(outcome, isLimit: response.status == 429, of: push, at: settings.url, now: now)
    } catch let failure as WebFailure {
      return .failed("Google's service could not be reached: \(failure.description)", isOutage: true)
    } catch {
      return .failed("The token for Google's service could not be signed: \(error)", isOutage: true)
    }
  }

  private static func body(_ message: PushMessage, to token: String) -> [UInt8] {
    let text = message.text(atMost: 2_000)
    let content: [String: Any] = [
      "token": token,
      "notification": ["body": text],
      "data": message.data,
      // A repetition replaces the notification on the device.
      "android": [
        "ttl": "\(PushMessage.lifetime)s", "priority": "HIGH", "notification": ["tag": message.subject],
      ] as [String: Any],
    ]
    return PushMessage.json(["message": content])
  }

  /// The access token, which is renewed a minute before it expires. Other threads wait meanwhile, for one request at
  /// most.
  private func accessToken(at now: Int64) throws -> String {
    let begin = ContinuousClock.now
    return try token.withLock { token in
      if now < token.expiresAt { return token.text }
      if let failure = token.failure, failure.at >= begin { throw failure.error }
      do { token = try newToken(at: now) } catch {
        token.failure = (error, ContinuousClock.now)
        throw error
      }
      return token.text
    }
  }

  private func newToken(at now: Int64) throws -> Token {
    let claims = PushMessage.json([
      "iss": settings.account, "scope": Self.scope, "aud": settings.tokenURL.text, "iat": now / 1000,
      "exp": now / 1000 + 3_600,
    ])
    let assertion = try JSONWebToken.text(claims: claims, signedBy: settings.key, keyID: settings.keyID)
    let request = WebRequest(
      url: settings.tokenURL,
      headers: ["content-type: application/x-www-form-urlencoded"],
      body: Array("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)".utf8),
      timeout: timeout
    )
    let response = try request.perform(on: connections)
    guard response.status == 200,
      let granted = try? GooglePushSettings.decoder.decode(Granted.self, from: Data(response.body)),
      granted.accessToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw WebFailure(description: "The service account got no access token (\(response.status)).") }
    let lifetime = min(max(granted.expiresIn ?? 3_600, 120), 86_400)
    return Token(text: granted.accessToken, expiresAt: now + (lifetime - 60) * 1000)
  }

  private func outcome(of response: WebRequest.Response) -> PushOutcome {
    guard response.status != 200 else { return .sent }
    let error = (try? JSONDecoder().decode(Answer.self, from: Data(response.body)))?.error
    let code = (error?.details?.compactMap(\.errorCode).first ?? error?.status ?? "no reason").prefix(60)
    let failure = "Google's service answered \(response.status): \(code)."
    switch (response.status, code) {
    case (404, "UNREGISTERED"): return .deviceExpired
    case (400, _) where error?.isOfToken ?? false: return .deviceExpired
    // With the service account of another project, every device is of another sender. So the device stays.
    case (400, _), (403, "SENDER_ID_MISMATCH"): return .rejected(failure)
    // The project has no valid key for Apple's or a browser's service, through which only some devices are reached.
    case (401, "THIRD_PARTY_AUTH_ERROR"), (429, _):
      return .failed(failure, isOutage: false, retryAfter: response.retryAfter)
    case (401, _):
      token.withLock { $0 = Token() }
      return .failed(failure, isOutage: true)
    default: return .failed(failure, isOutage: true, retryAfter: response.retryAfter)
    }
  }
}
