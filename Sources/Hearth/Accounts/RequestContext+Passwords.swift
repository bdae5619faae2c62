import EventLoop
import GraphQL

extension RequestContext {
  private static var overloaded: FieldError {
    FieldError("Too many people are signing in at this moment: try again in a few seconds.", code: .overloaded)
  }

  /// Refuses, where there were too many wrong passwords for this name.
  func beginSignIn(_ account: String) throws(FieldError) -> SignInAttempt {
    let attempt = SignInAttempt(account: account)
    try services.signInLimits.begin(attempt.account, from: client, at: now)
    return attempt
  }

  func succeed(_ attempt: SignInAttempt) { services.signInLimits.succeed(attempt.account, from: client) }

  func hash(_ password: String) async throws -> String {
    willSuspend()
    do {
      return try await services.passwords.hash(password)
    } catch is WorkerPool.Overloaded {
      throw Self.overloaded
    }
  }

  func verify(_ password: String, against hashes: [String]) async throws -> Bool {
    willSuspend()
    // A password that nobody can have is not worth the work of hashing it.
    let password = Passwords.isTooLong(password) ? "" : password
    do {
      return try await services.passwords.verify(password, against: hashes)
    } catch is WorkerPool.Overloaded {
      throw Self.overloaded
    }
  }
}
