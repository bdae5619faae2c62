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

  /// Whether the password is that of one of the hashes. `account` is whose it is said to be, whether or not there is
  /// such: after many wrong ones it is not looked at.
  func verify(_ password: String, against hashes: [String], of account: String) async throws -> Bool {
    willSuspend()
    // A password that nobody can have is not worth the work of hashing it.
    let password = Passwords.isTooLong(password) ? "" : password
    let limits = services.signInLimits
    try limits.begin(account, from: client, at: now)
    do {
      let isRight = try await services.passwords.verify(password, against: hashes)
      if isRight { limits.succeed(account, from: client) }
      return isRight
    } catch is WorkerPool.Overloaded {
      limits.giveBack(account, from: client)
      throw Self.overloaded
    }
  }
}
