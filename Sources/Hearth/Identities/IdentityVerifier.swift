import Crypto
import EventLoop
import Foundation

/// Finds out who somebody is for one provider, by the token that its own sign-in has given to the app.
struct IdentityVerifier: Sendable {
  /// By how much clocks may differ, in seconds.
  private static let leeway: Double = 60
  /// No token is older than this, in seconds, whenever it ends.
  private static let maximumAge: Double = 86_400

  private let provider: IdentityProvider
  private let settings: ProviderSettings
  private let keys: KeySet?
  private let graph: FacebookGraph?
  /// For signatures, which take some 50 µs, and for the provider's answers. Each provider has its own, so that nobody
  /// waits for one that is slow but those who sign in with it.
  private let workers: WorkerPool

  /// Nil where there is no app for which the provider could vouch.
  init?(_ provider: IdentityProvider, _ settings: ProviderSettings) throws {
    guard !settings.clientIDs.isEmpty else { return nil }
    self.provider = provider
    self.settings = settings
    let workers = try WorkerPool(threads: 2, queueLimit: 32)
    self.workers = workers
    keys = settings.keysURL.map { KeySet(at: $0, timeout: settings.timeout, workers: workers) }
    graph = settings.graphURL.map { FacebookGraph(url: $0, settings: settings) }
  }

  func verify(_ token: String, nonce: String?, at now: Int64) async throws(IdentityFailure) -> VerifiedIdentity {
    // What is signed begins with `{"` in base 64; Facebook's access tokens begin with EAA.
    if let graph, !token.hasPrefix("eyJ") { return try await ask(graph, token, at: now) }
    guard let keys, let signed = SignedToken(token) else { throw .notOurs(provider) }
    guard let key = try await keys.key(signed.keyID, at: now) else { throw .notOurs(provider) }
    let claims = try await onWorker { signed.claims(signedBy: key) }
    guard let claims else { throw .notOurs(provider) }
    try check(claims, at: Double(now) / 1000)
    try check(nonce, against: claims)
    var identity = VerifiedIdentity(provider: provider, subject: claims.subject)
    identity.take(claims.told, today: WallClock("UTC").day(at: now).text)
    identity.isEmailVerified = claims.emailVerified?.value ?? false
    return identity
  }

  /// What the provider tells of a person for their profile here; nil where it tells nothing of the kind. It may be
  /// empty: nobody is kept from signing up by what is missing.
  func profile(with token: String) async -> GrantedProfile? {
    guard let graph, !token.hasPrefix("eyJ") else { return nil }
    return try? await onWorker { graph.profile(with: token) }
  }

  /// Nil where the provider knows of no friends.
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

  /// A token that was made for one sign-in is good for no other. Apple's apps often have it hold the SHA-256 of the
  /// nonce, in hexadecimal.
  private func check(_ nonce: String?, against claims: IdentityClaims) throws(IdentityFailure) {
    let nonce = nonce.flatMap { $0.isEmpty ? nil : $0 }
    guard nonce != claims.nonce else { return }
    if let nonce, nonce.utf8.count <= 1_000, let told = claims.nonce, provider == .apple, told == Self.hashed(nonce) {
      return
    }
    // There are devices of Apple's on which tokens have none.
    if claims.nonce == nil, provider == .apple, claims.nonceSupported?.value == false { return }
    throw .refused(field: "nonce", .mismatch, "The token was made for another sign-in than this one.")
  }

  private static func hashed(_ nonce: String) -> String {
    SHA256.hash(data: Data(nonce.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  // MARK: Asking

  private func ask(
    _ graph: FacebookGraph,
    _ token: String,
    at now: Int64
  ) async throws(IdentityFailure) -> VerifiedIdentity {
    let answer = try await onWorker { graph.person(with: token, at: now) }
    switch answer {
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
      throw .unavailable("Too many wait for it.")
    }
  }
}
