import EventLoop
import GraphQL
import GraphQLTransport

extension RequestContext {
  private static var overloaded: FieldError {
    FieldError("Too many people are signing in at this moment: try again in a few seconds.", code: .overloaded)
  }

  /// - Parameters:
  ///   - use: what the password is for.
  ///   - subject: who chooses it. It identifies the caller in the queue if networks cannot be distinguished.
  func hash(_ password: String, for use: PasswordUse, of subject: LimitedSubject) async throws -> String {
    willSuspend()
    do {
      return try await services.passwords.hash(password, in: lane(for: use, of: subject))
    } catch is WorkerPool.Overloaded {
      throw Self.overloaded
    }
  }

  /// Returns the hash that the password matches. After too many wrong passwords for the account, the password is not
  /// checked.
  ///
  /// - Parameters:
  ///   - count: the minimum number of comparisons.
  ///   - account: the account name as typed, whether or not it exists.
  func match(
    _ password: String,
    among hashes: [String],
    atLeast count: Int = 1,
    for use: PasswordUse,
    of account: LimitedSubject
  ) async throws -> String? {
    willSuspend()
    // No account can have a password of this length, so it is not hashed.
    let password = Passwords.isTooLong(password) ? "" : password
    let (limits, known) = (services.rateLimits, services.knownNetworks)
    let caller = RateLimits.Caller(network: client, subject: account, isKnown: known.contains(client, of: account))
    // Counted as wrong before it is checked, so that concurrent attempts cannot exceed the limit.
    if let wait = await limits.takeShared(.wrongPassword, by: caller, at: now) {
      throw FieldError.rateLimited(for: wait)
    }
    do {
      let match = try await services.passwords.match(
        password,
        among: hashes,
        atLeast: count,
        in: lane(for: use, of: account)
      )
      if match != nil {
        await limits.giveBackShared(.wrongPassword, by: caller, at: now)
        known.insert(client, of: account)
      }
      return match
    } catch is WorkerPool.Overloaded {
      await limits.giveBackShared(.wrongPassword, by: caller, at: now)
      throw Self.overloaded
    }
  }

  /// Throws `RejectedInput` unless the password is that of the viewer, a parent.
  ///
  /// - Parameter path: that of the password in the mutation's arguments.
  func requirePassword(_ password: String, at path: [String], of viewer: Viewer) async throws {
    if let error = try await passwordError(of: password, at: path, person: viewer.member) {
      throw RejectedInput([error])
    }
  }

  /// The error that the password is wrong; nil if it is correct.
  func passwordError(of password: String, at path: [String], person: GlobalID) async throws -> UserError? {
    guard let hash = try await read({ reader in try StoredPassword.hash(of: person, from: reader) }) else {
      let message: UserError.Message =
        "Your account has no password: set one first by requesting a password reset mail."
      return UserError(field: path, code: .notAllowed, reason: .noPassword, message: message)
    }
    let match = try await match(password, among: [hash], for: .change, of: .person(person))
    guard match == nil else { return nil }
    return UserError(field: path, code: .wrongCredentials, message: "The password is wrong.")
  }

  private func lane(for use: PasswordUse, of subject: LimitedSubject) -> WorkLane {
    WorkLane(kind: use.rawValue, client: client?.lane.hashValue ?? subject.hashValue)
  }
}
