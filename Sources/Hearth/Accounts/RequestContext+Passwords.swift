import EventLoop
import GraphQL

extension RequestContext {
  private static var overloaded: FieldError {
    FieldError("Too many people are signing in at this moment: try again in a few seconds.", code: .overloaded)
  }

  func hash(_ password: String) async throws -> String {
    willSuspend()
    do {
      return try await services.passwords.hash(password)
    } catch is WorkerPool.Overloaded {
      throw Self.overloaded
    }
  }

  /// The one of the hashes that is the password's, of which most have `count`. `account` is whose it is said to be, whether or
  /// not there is such: after many wrong ones it is not looked at.
  func match(
    _ password: String,
    among hashes: [String],
    atLeast count: Int = 1,
    of account: String
  ) async throws -> String? {
    willSuspend()
    // A password that nobody can have is not worth the work of hashing it.
    let password = Passwords.isTooLong(password) ? "" : password
    let limits = services.signInLimits
    try limits.begin(account, from: client, at: now)
    do {
      let match = try await services.passwords.match(password, among: hashes, atLeast: count)
      if match != nil { limits.succeed(account, from: client) }
      return match
    } catch is WorkerPool.Overloaded {
      limits.giveBack(account, from: client)
      throw Self.overloaded
    }
  }
}
