/// How a provider's tokens are verified.
package struct ProviderSettings: Sendable {
  /// The accepted issuers of tokens.
  package var issuers: [String]
  /// The URL of the provider's signing keys.
  package var keysURL: WebURL?
  /// The accepted audiences of tokens: the app's client ids at the provider. Without a client id the provider is
  /// disabled.
  package var clientIDs: [String] = []
  /// The URL where access tokens are inspected, for a provider that has access tokens.
  package var graphURL: WebURL?
  /// The secret with which the app authenticates to the provider.
  package var applicationSecret: ApplicationSecret?
  /// The timeout of requests to the provider, in milliseconds.
  package var timeout = 5_000

  /// The defaults that the provider documents.
  package init(defaultsFor provider: IdentityProvider) {
    switch provider {
    case .apple:
      issuers = ["https://appleid.apple.com"]
      keysURL = WebURL("https://appleid.apple.com/auth/keys")
    case .google:
      // Google documents both.
      issuers = ["https://accounts.google.com", "accounts.google.com"]
      keysURL = WebURL("https://www.googleapis.com/oauth2/v3/certs")
    case .facebook:
      issuers = ["https://www.facebook.com", "https://facebook.com", "https://limited.facebook.com"]
      keysURL = WebURL("https://www.facebook.com/.well-known/oauth/openid/jwks/")
      graphURL = WebURL("https://graph.facebook.com")
    }
  }
}

/// A secret that is never printed.
package struct ApplicationSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { "…" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
