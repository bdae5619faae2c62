import Foundation

/// The tokens of a session. Store them in the system's keychain, and pass them to the next `HearthClient`.
public struct Credentials: Codable, Hashable, Sendable {
  /// Authenticates requests, for minutes. The client renews it.
  public let accessToken: String
  /// Returns the next tokens. It can be used once.
  public let refreshToken: String
  /// The idempotency key of the renewal, which is random. An app that was ended during a renewal can repeat it with the
  /// same key. With another one, this counts as theft of the refresh token. Its first half stays the same until the
  /// next sign-in.
  public let renewalKey: String

  /// Makes credentials from the tokens of a sign-in, or from stored ones. Pass the key only with the tokens for which
  /// it was made.
  public init(accessToken: String, refreshToken: String, renewalKey: String? = nil) {
    (self.accessToken, self.refreshToken) = (accessToken, refreshToken)
    self.renewalKey = renewalKey ?? Self.key(of: Self.hash(of: refreshToken))
  }

  /// Decodes stored credentials. Those of earlier versions, and those of a response, have no key yet.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      accessToken: try container.decode(String.self, forKey: .accessToken),
      refreshToken: try container.decode(String.self, forKey: .refreshToken),
      renewalKey: try container.decodeIfPresent(String.self, forKey: .renewalKey)
    )
  }

  /// The length of the first half of a key, which all pairs of a sign-in have: 64 of the bits of a UUID.
  private static let signInLength = 18

  private static func key(of signIn: some StringProtocol) -> String {
    "\(signIn)\(UUID().uuidString.dropFirst(signInLength))"
  }

  /// The first half of a key, which all clients that find a pair without a key have in common: FNV-1a. The key is no
  /// secret, but must not contain the token.
  private static func hash(of refreshToken: String) -> String {
    let hash = refreshToken.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    let digits = String(hash, radix: 16, uppercase: true)
    let all = String(repeating: "0", count: 16 - digits.count) + digits
    return "\(all.prefix(8))-\(all.dropFirst(8).prefix(4))-\(all.suffix(4))"
  }

  /// Whether the tokens are of the same sign-in. An app can have stored them without the key.
  func isOfSameSignIn(as other: Credentials) -> Bool {
    refreshToken == other.refreshToken
      || renewalKey.prefix(Self.signInLength) == other.renewalKey.prefix(Self.signInLength)
  }

  /// The same tokens, with a key of the sign-in of those that were renewed.
  func asRenewal(of previous: Credentials) -> Credentials {
    let key = Self.key(of: previous.renewalKey.prefix(Self.signInLength))
    return Credentials(accessToken: accessToken, refreshToken: refreshToken, renewalKey: key)
  }

  /// Whether the tokens are the same.
  public static func == (one: Credentials, other: Credentials) -> Bool {
    one.accessToken == other.accessToken && one.refreshToken == other.refreshToken
  }

  /// Hashes the tokens.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(accessToken)
    hasher.combine(refreshToken)
  }
}
