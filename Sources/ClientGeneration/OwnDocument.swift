import GraphQL

/// What a client sends by itself, besides the operations that it is generated from.
package enum OwnDocument: Sendable {
  /// Renews the tokens of a session.
  case renewal
  /// Its response on a WebSocket means that the subscription before it has begun.
  case probe

  /// The text of `renewal` is that of `RefreshSession` in HearthClient, which has its SHA-256 too.
  package var text: String {
    switch self {
    case .renewal:
      """
      mutation RefreshSession($refreshToken: String!) {
        refreshSession(refreshToken: $refreshToken) { credentials { accessToken refreshToken expiresAt } }
      }
      """
    case .probe: "{ __typename }"
    }
  }

  /// Whether the schema has what the document selects.
  func isValid(in schema: Schema) -> Bool {
    guard let document = try? Parser.parse(Source(text), options: .trusted) else { return false }
    return Validator.validate(document, against: schema, options: ValidationOptions()).isEmpty
  }
}
