/// How a provider's tokens are told from others'.
package struct ProviderSettings: Sendable {
  /// Whom a token may be from: any of them.
  package var issuers: [String]
  /// Where the keys are published that its tokens are signed with.
  package var keysURL: WebURL?
  /// Whom a token may be for: our apps, as the provider knows them. Without one nobody signs in this way.
  package var clientIDs: [String] = []
  /// Where access tokens are looked up, for a provider that has such.
  package var graphURL: WebURL?
  /// What the app itself signs in with there.
  package var applicationSecret: ApplicationSecret?
  /// How long the provider may take for an answer, in milliseconds.
  package var timeout = 5_000

  /// As the provider documents it.
  package init(defaultsFor provider: IdentityProvider) {
    switch provider {
    case .apple:
      issuers = ["https://appleid.apple.com"]
      keysURL = WebURL("https://appleid.apple.com/auth/keys")
    case .google:
      // Both are in use, it says.
      issuers = ["https://accounts.google.com", "accounts.google.com"]
      keysURL = WebURL("https://www.googleapis.com/oauth2/v3/certs")
    case .facebook:
      issuers = ["https://www.facebook.com", "https://facebook.com", "https://limited.facebook.com"]
      keysURL = WebURL("https://www.facebook.com/.well-known/oauth/openid/jwks/")
      graphURL = WebURL("https://graph.facebook.com")
    }
  }
}

/// Nothing prints it.
package struct ApplicationSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { "…" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
