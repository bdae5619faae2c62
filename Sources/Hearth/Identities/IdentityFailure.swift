/// Why nobody is vouched for.
enum IdentityFailure: Error {
  /// Something is wrong with what the client has sent.
  case refused(field: String, UserError.Code, String)
  /// The provider cannot be asked. Why is for the log.
  case unavailable(String)

  /// The same for all that is wrong with a token: who forges one learns nothing from it.
  static func notOurs(_ provider: IdentityProvider) -> IdentityFailure {
    .refused(field: "token", .wrongCredentials, "This is not a token of \(provider.title) for this app.")
  }

  static let expired = IdentityFailure.refused(
    field: "token",
    .expired,
    "The token was good for a time only, and the time is over: sign in with the provider again."
  )
}
