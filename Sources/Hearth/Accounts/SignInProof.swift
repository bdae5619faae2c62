import GraphQL
import Storage

/// The proof that a request which is irreversible, or opens another way to sign in, comes from the account's owner and
/// not from somebody with their device: the password, or a session that has just begun.
enum SignInProof {
  /// How long a sign-in is a proof, in milliseconds.
  static let freshness: Int64 = 10 * Milliseconds.minute

  /// How far what has happened can be in the future, in milliseconds: the clocks of servers differ.
  static let clockTolerance: Int64 = Milliseconds.minute

  static let beginning = SQL<GlobalID>("SELECT created_at FROM session WHERE id = \(\.self)")

  /// Returns nil if the viewer has given the proof.
  fileprivate static func error(
    password: String?,
    field: [String],
    for viewer: Viewer,
    in context: RequestContext
  ) async throws -> UserError? {
    if let password, !password.isEmpty {
      return try await context.passwordError(of: password, at: field, person: viewer.member)
    }
    let beganAt = try await context.read { reader in try reader.number(of: beginning, viewer.session) }
    // A session of the future began while the clock was ahead, and proves nothing.
    if let beganAt, (-clockTolerance...freshness).contains(context.now - beganAt) { return nil }
    return UserError(
      field: field,
      code: .blank,
      message: "Your password is required, unless you have signed in within the last ten minutes."
    )
  }
}

extension InputForm {
  /// Reads `password`, and reports an error unless the viewer has given the proof.
  mutating func requireSignInProof(of viewer: Viewer, in context: RequestContext) async throws {
    let password = self["password"]?.string
    let error = try await SignInProof.error(password: password, field: path("password"), for: viewer, in: context)
    if let error { reject([error]) }
  }
}
