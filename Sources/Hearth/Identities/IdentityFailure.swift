/// Why an identity could not be verified.
enum IdentityFailure: Error {
  /// The client's input is invalid.
  case rejected(field: String, UserError.Code, UserError.Message)
  /// The provider could not be reached. The reason is for the log.
  case unavailable(String)

  /// The same error for all invalid tokens, so that a forger learns nothing from it.
  static func notOurs(_ provider: IdentityProvider) -> IdentityFailure {
    let message: UserError.Message = "This is not a valid \(provider.title, as: "provider") token for this app."
    return .rejected(field: "token", .wrongCredentials, message)
  }

  static let expired = IdentityFailure.rejected(
    field: "token",
    .expired,
    "The token has expired: sign in with the provider again."
  )
}
