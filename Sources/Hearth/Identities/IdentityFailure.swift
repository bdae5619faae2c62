/// Why an identity could not be verified.
enum IdentityFailure: Error {
  /// The client's input is invalid.
  case rejected(field: String, UserError.Code, String)
  /// The provider could not be reached. The reason is for the log.
  case unavailable(String)

  /// The same error for all invalid tokens, so that a forger learns nothing from it.
  static func notOurs(_ provider: IdentityProvider) -> IdentityFailure {
    .rejected(field: "token", .wrongCredentials, "This is not a valid \(provider.title) token for this app.")
  }

  static let expired = IdentityFailure.rejected(
    field: "token",
    .expired,
    "The token has expired: sign in with the provider again."
  )
}
