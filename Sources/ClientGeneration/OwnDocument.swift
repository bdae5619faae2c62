import GraphQL

/// What a client sends by itself, besides the operations that it is generated from.
package struct OwnDocument: Sendable {
  /// The document.
  package let text: String

  /// Renews the tokens of a session. The text is that of `RefreshSession` in HearthClient, which has its SHA-256 too.
  package static let renewal = OwnDocument(
    text: """
      mutation RefreshSession($refreshToken: String!) {
        refreshSession(refreshToken: $refreshToken) { credentials { accessToken refreshToken expiresAt } }
      }
      """
  )

  /// Whether the schema has what the document selects.
  func isValid(in schema: Schema) -> Bool {
    guard let document = try? Parser.parse(Source(text), options: .trusted) else { return false }
    return Validator.validate(document, against: schema, options: ValidationOptions()).isEmpty
  }
}
