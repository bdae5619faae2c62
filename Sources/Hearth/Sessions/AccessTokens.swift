import Foundation
import JWTKit
import Synchronization

/// Access tokens: JSON Web Tokens (RFC 7519), each bound to a session and signed with a secret key of the data folder.
/// Keys can be rotated: tokens of earlier keys remain valid until they expire.
final class AccessTokens: Sendable {
  private struct Claims: JWTPayload {
    /// The session's id.
    let sid: String
    let iat: IssuedAtClaim
    let exp: ExpirationClaim

    /// Does nothing: the caller of `AccessTokens.verify` checks expiry, to distinguish expired from forged tokens.
    func verify(using _: some JWTAlgorithm) throws {}
  }

  /// A key that signs and verifies.
  private struct Signer: Sendable {
    let keys: JWTKeyCollection
    let bytes: [UInt8]

    init(_ key: [UInt8]) async {
      bytes = key
      keys = JWTKeyCollection()
      await keys.add(hmac: HMACKey(from: Data(key)), digestAlgorithm: .sha256)
    }
  }

  private struct State: Sendable {
    var current: Signer
    /// The keys that no longer sign, each with the latest expiry of the tokens that it has signed.
    var retired: [(signer: Signer, lastExpiry: Int64)] = []

    /// Whether a key is neither the current one nor a predecessor.
    func isUnknown(_ key: [UInt8]) -> Bool { current.bytes != key && !retired.contains { $0.signer.bytes == key } }
  }

  private let state: Mutex<State>
  private let cipher: IdentifierCipher
  let lifetime: Int64

  init(_ key: SigningKeys, cipher: IdentifierCipher, lifetime: Int64) async {
    var state = State(current: await Signer(key.current))
    for retired in key.retired { state.retired.append((await Signer(retired.key), retired.lastExpiry)) }
    self.state = Mutex(state)
    self.cipher = cipher
    self.lifetime = lifetime
  }

  /// Replaces the keys after a rotation. Returns what the key that has signed until now has become, and nil for keys
  /// from before the rotation: they were read too early.
  func adopt(_ keys: SigningKeys) async -> SigningKeys.Retired? {
    var adopted = State(current: await Signer(keys.current))
    for retired in keys.retired { adopted.retired.append((await Signer(retired.key), retired.lastExpiry)) }
    let new = adopted
    return state.withLock { state in
      guard state.isUnknown(keys.current) else { return nil }
      let replaced = state.current.bytes
      state = new
      // One that is no longer stored has expired, or made room when all were revoked.
      return keys.retired.first { $0.key == replaced } ?? SigningKeys.Retired(key: replaced, lastExpiry: .min)
    }
  }

  /// Whether a key is neither the current one nor a predecessor.
  func isUnknown(_ key: [UInt8]) -> Bool { state.withLock { $0.isUnknown(key) } }

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
    return (try await state.withLock { $0.current }.keys.sign(claims), expiresAt)
  }

  /// Returns the session and the expiry of a token with a valid signature, and nil otherwise. The expiry is at most the
  /// lifetime of tokens away: a later one was forged by somebody who knows the key, and a connection would stay open
  /// until then.
  func verify(_ token: ArraySlice<UInt8>, at now: Int64) async -> (session: GlobalID, expiresAt: Int64)? {
    let (current, retired) = state.withLock { ($0.current, $0.retired) }
    if let found = await verify(token, by: current) {
      return (found.session, min(found.expiresAt, now + lifetime * 1000))
    }
    for (signer, lastExpiry) in retired {
      guard let found = await verify(token, by: signer) else { continue }
      // A later expiry was forged by somebody who knows the retired key, or the key was revoked.
      return (found.session, min(found.expiresAt, lastExpiry))
    }
    return nil
  }

  /// Whether a token is one of this service that has not expired, apart from its signature.
  func isWellFormed(_ token: ArraySlice<UInt8>, at now: Int64) async -> Bool {
    let signer = state.withLock { $0.current }
    guard let claims = try? await signer.keys.unverified(Array(token), as: Claims.self) else { return false }
    return session(claims.sid) != nil && Self.milliseconds(claims.exp.value) > now
  }

  private func verify(_ token: ArraySlice<UInt8>, by signer: Signer) async -> (session: GlobalID, expiresAt: Int64)? {
    guard let claims = try? await signer.keys.verify(Array(token), as: Claims.self), let session = session(claims.sid)
    else { return nil }
    return (session, Self.milliseconds(claims.exp.value))
  }

  /// The nearest time that can be represented: anybody can write any number into a token.
  private static func milliseconds(_ date: Date) -> Int64 {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
    return Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min)
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
