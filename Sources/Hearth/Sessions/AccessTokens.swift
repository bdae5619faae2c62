import Foundation
import JWTKit

/// Access tokens: JSON Web Tokens (RFC 7519), each bound to a session and signed with a secret key of the data folder.
struct AccessTokens: Sendable {
  private struct Claims: JWTPayload {
    /// The session's id.
    let sid: String
    let iat: IssuedAtClaim
    let exp: ExpirationClaim

    /// Does nothing: the caller of `AccessTokens.verify` checks expiry, to distinguish expired from forged tokens.
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

  /// Issues a token for a session. `expiresAt` is in milliseconds.
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

  /// Returns the session and the expiry of a token with a valid signature, and nil otherwise.
  func verify(_ token: ArraySlice<UInt8>) async -> (session: GlobalID, expiresAt: Int64)? {
    guard let claims = try? await keys.verify(Array(token), as: Claims.self), let session = session(claims.sid)
    else { return nil }
    return (session, Int64(claims.exp.value.timeIntervalSince1970 * 1000))
  }

  /// Tokens from before ids were encrypted contain the key in base 36, which is shorter than an id. They are accepted
  /// so that an upgrade does not sign clients out.
  private func session(_ sid: String) -> GlobalID? {
    let key =
      sid.utf8.count < IdentifierCipher.length
      ? Int64(sid, radix: 36).map(GlobalID.init(rawValue:)) : cipher.key(of: sid)
    return key?.kind == .session ? key : nil
  }
}
