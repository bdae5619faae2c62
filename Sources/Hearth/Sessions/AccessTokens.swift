import Foundation
import JWTKit

/// Access tokens: JSON web tokens (RFC 7519), signed with a key that the data directory holds, each bound to a session.
struct AccessTokens: Sendable {
  private struct Claims: JWTPayload {
    /// The session, as `Session.id` has it.
    let sid: String
    let iat: IssuedAtClaim
    let exp: ExpirationClaim

    /// The caller of `AccessTokens.verify` checks expiry: an expired token is told apart from a forged one.
    func verify(using _: some JWTAlgorithm) throws {}
  }

  private let keys: JWTKeyCollection
  private let cipher: IdentifierCipher
  let lifetime: Int64

  init(key: [UInt8], _ cipher: IdentifierCipher, lifetime: Int64) async {
    keys = JWTKeyCollection()
    self.cipher = cipher
    await keys.add(hmac: HMACKey(from: Data(key)), digestAlgorithm: .sha256)
    self.lifetime = lifetime
  }

  /// A token for a session, and when it ends, in milliseconds.
  func issue(for session: GlobalID, at now: Int64) async throws -> (token: String, expiresAt: Int64) {
    try await issue(sid: cipher.text(of: session), at: now)
  }

  func issue(sid: String, at now: Int64) async throws -> (token: String, expiresAt: Int64) {
    let expiresAt = (now / 1000 + lifetime) * 1000
    let claims = Claims(
      sid: sid,
      iat: .init(value: Date(timeIntervalSince1970: Double(now / 1000))),
      exp: .init(value: Date(timeIntervalSince1970: Double(expiresAt / 1000)))
    )
    return (try await keys.sign(claims), expiresAt)
  }

  /// The session of a token with our signature, and when the token ends; nil where it is not one of ours.
  func verify(_ token: ArraySlice<UInt8>) async -> (session: GlobalID, expiresAt: Int64)? {
    guard let claims = try? await keys.verify(Array(token), as: Claims.self), let session = session(claims.sid)
    else { return nil }
    return (session, Int64(claims.exp.value.timeIntervalSince1970 * 1000))
  }

  /// Tokens from before ids were enciphered have the key in base 36, which is shorter than an id. They are accepted so
  /// that apps go on over an upgrade.
  private func session(_ sid: String) -> GlobalID? {
    let key =
      sid.utf8.count < IdentifierCipher.length
      ? Int64(sid, radix: 36).map(GlobalID.init(rawValue:)) : cipher.key(of: sid)
    return key?.kind == .session ? key : nil
  }
}
