import Foundation

/// The tokens of a session. Store them in the system's keychain, and pass them to the next `HearthClient`.
public struct Credentials: Codable, Hashable, Sendable {
  /// Authenticates requests, for minutes. The client renews it.
  public let accessToken: String
  /// Returns the next tokens. It can be used once.
  public let refreshToken: String
  /// The idempotency key of the renewal, which is random. An app that was ended during a renewal can repeat it with the
  /// same key. With another one, this counts as theft of the refresh token.
  public let renewalKey: String

  /// Makes credentials from the tokens of a sign-in, or from stored ones. Pass the key only with the tokens for which
  /// it was made.
  public init(accessToken: String, refreshToken: String, renewalKey: String = UUID().uuidString) {
    (self.accessToken, self.refreshToken, self.renewalKey) = (accessToken, refreshToken, renewalKey)
  }

  /// Decodes stored credentials. Those of earlier versions, and those of a response, have no key yet.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      accessToken: try container.decode(String.self, forKey: .accessToken),
      refreshToken: try container.decode(String.self, forKey: .refreshToken),
      renewalKey: try container.decodeIfPresent(String.self, forKey: .renewalKey) ?? UUID().uuidString
    )
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
