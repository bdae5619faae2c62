import Bytes
import Crypto
import EventLoop
import Foundation

/// Verifies identities of one provider by the token that the provider's sign-in returned to the app.
struct IdentityVerifier: Sendable {
  /// The accepted difference between clocks, in seconds.
  private static let leeway: Double = 60
  /// The maximum age of a token in seconds, independent of its expiry.
  private static let maximumAge: Double = 86_400

  private let provider: IdentityProvider
  private let settings: ProviderSettings
  private let keys: KeySet?
  private let graph: FacebookGraph?
  /// Verifies signatures, which takes some 50 µs each, and waits for responses of the provider. Each provider has its
  /// own pool, so a slow provider delays only its own users.
  private let workers: WorkerPool

  /// Returns nil if no client id is configured for the provider.
  init?(_ provider: IdentityProvider, settings: ProviderSettings) throws {
    guard !settings.clientIDs.isEmpty else { return nil }
    self.provider = provider
    self.settings = settings
    let workers = try WorkerPool(threads: 2, queueLimit: 32)
    self.workers = workers
    keys = settings.keysURL.map { KeySet(at: $0, timeout: settings.timeout, workers: workers) }
    graph = settings.graphURL.map { FacebookGraph(url: $0, settings: settings) }
  }

  func verify(_ token: String, nonce: String?, at now: Int64) async throws(IdentityFailure) -> VerifiedIdentity {
    // A signed token begins with `{"` in base 64. Facebook's access tokens begin with EAA.
    if let graph, !token.hasPrefix("eyJ") { return try await verifyAccessToken(token, with: graph, at: now) }
    guard let keys, let signed = SignedToken(token) else { throw .notOurs(provider) }
    guard let key = try await keys.key(signed.keyID, at: now) else { throw .notOurs(provider) }
    let claims = try await onWorker { signed.claims(signedBy: key) }
    guard let claims else { throw .notOurs(provider) }
    try check(claims, at: Double(now) / 1000)
    try check(nonce, against: claims)
    var identity = VerifiedIdentity(provider: provider, subject: claims.subject)
    identity.take(claims.personClaims, today: WallClock("UTC").day(at: now).text)
    identity.isEmailVerified = claims.emailVerified?.value ?? false
    return identity
  }

  /// Profile data of the provider, or nil if the provider does not share any. It may be empty: missing data does not
  /// prevent sign-up.
  func profile(with token: String) async -> GrantedProfile? {
    guard let graph, !token.hasPrefix("eyJ") else { return nil }
    return try? await onWorker { graph.profile(with: token) }
  }

  /// Returns nil if the provider has no list of friends.
  func friends(with token: String, at now: Int64) async throws(IdentityFailure) -> [FacebookGraph.Friend]? {
    guard let graph else { return nil }
    switch try await onWorker({ graph.friends(with: token, at: now) }) {
    case .success(let friends): return friends
    case .failure(let failure): throw failure
    }
  }

  // MARK: What a token says

  /// OpenID Connect Core, section 3.1.3.7.
  private func check(_ claims: IdentityClaims, at now: Double) throws(IdentityFailure) {
    let audience = claims.audience.values
    guard settings.issuers.contains(claims.issuer), (1...255).contains(claims.subject.utf8.count),
      !audience.isEmpty, audience.allSatisfy(settings.clientIDs.contains),
      claims.issuedAt ?? now <= now + Self.leeway, claims.notBefore ?? now <= now + Self.leeway
    else { throw .notOurs(provider) }
    guard now < claims.expiry + Self.leeway, now - (claims.issuedAt ?? now) < Self.maximumAge else { throw .expired }
  }

  /// Checks that the token was made for this sign-in. Apple's apps often send the SHA-256 of the nonce in hexadecimal
  /// instead of the nonce.
  private func check(_ nonce: String?, against claims: IdentityClaims) throws(IdentityFailure) {
    let nonce = nonce.flatMap { $0.isEmpty ? nil : $0 }
    // No nonce is longer, and comparing takes long with many combining marks (`CombiningMarks`).
    if let nonce, nonce.utf8.count > 1_000 { throw Self.wrongNonce }
    guard nonce != claims.nonce else { return }
    if let nonce, let issued = claims.nonce, provider == .apple, issued == Self.hashed(nonce) { return }
    // Tokens of some Apple devices contain no nonce.
    if claims.nonce == nil, provider == .apple, claims.nonceSupported?.value == false { return }
    throw Self.wrongNonce
  }

  private static var wrongNonce: IdentityFailure {
    .rejected(field: "nonce", .mismatch, "The token was issued for another sign-in: its nonce differs.")
  }

  private static func hashed(_ nonce: String) -> String {
    SHA256.hash(data: Data(nonce.utf8)).hexadecimal
  }

  // MARK: Asking

  private func verifyAccessToken(
    _ token: String,
    with graph: FacebookGraph,
    at now: Int64
  ) async throws(IdentityFailure) -> VerifiedIdentity {
    let result = try await onWorker { graph.person(with: token, at: now) }
    switch result {
    case .success(let identity): return identity
    case .failure(let failure): throw failure
    }
  }

  private func onWorker<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value
  ) async throws(IdentityFailure) -> Value {
    do {
      return try await workers.run(work)
    } catch {
      throw .unavailable("Too many requests are waiting for it.")
    }
  }
}
