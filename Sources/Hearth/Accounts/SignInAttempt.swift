/// Somebody tries a password for this name.
struct SignInAttempt: Sendable {
  let account: String
}
