import Foundation
import JWTKit

/// Access tokens: JSON web tokens (RFC 7519), signed with a key that the data directory holds, each bound to a session.
struct AccessTokens: Sendable {
  private struct Claims: JWTPayload {
    /// The session's key.
    let sid: String
    let iat: IssuedAtClaim
    let exp: ExpirationClaim

    /// Expiry is looked at by who asks: an expired token is told apart from a forged one.
    func verify(using _: some JWTAlgorithm) throws {}
  }

  private let keys: JWTKeyCollection
  let lifetime: Int64

  init(key: [UInt8], lifetime: Int64) async {
    keys = JWTKeyCollection()
    await keys.add(hmac: HMACKey(from: Data(key)), digestAlgorithm: .sha256)
    self.lifetime = lifetime
  }

  /// A token for a session, and when it ends, in milliseconds.
  func issue(for session: GlobalID, at now: Int64) async throws -> (token: String, expiresAt: Int64) {
    let expiresAt = (now / 1000 + lifetime) * 1000
    let claims = Claims(
      sid: String(session.rawValue, radix: 36),
      iat: .init(value: Date(timeIntervalSince1970: Double(now / 1000))),
      exp: .init(value: Date(timeIntervalSince1970: Double(expiresAt / 1000)))
    )
    return (try await keys.sign(claims), expiresAt)
  }

  /// The session of a token with our signature, and when the token ends; nil where it is not one of ours.
  func verify(_ token: ArraySlice<UInt8>) async -> (session: GlobalID, expiresAt: Int64)? {
    guard let claims = try? await keys.verify(Array(token), as: Claims.self), let raw = Int64(claims.sid, radix: 36)
    else { return nil }
    return (GlobalID(rawValue: raw), Int64(claims.exp.value.timeIntervalSince1970 * 1000))
  }
}
