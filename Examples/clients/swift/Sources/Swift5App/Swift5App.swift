import Foundation
import HearthClient

/// An app in the Swift 5 mode.
public enum Swift5App {
  /// Makes a client, and passes on what its unlabelled trailing closure receives.
  public static func client(
    endpoint: URL,
    credentials: Credentials,
    credentialsDidChange: @escaping @Sendable (Credentials?) -> Void
  ) -> HearthClient {
    HearthClient(endpoint: endpoint, credentials: credentials) { credentialsDidChange($0) }
  }
}
