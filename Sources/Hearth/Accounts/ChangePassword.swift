import GraphQL
import Storage

/// `changePassword`: requires the old password. All other sessions that were opened with this account end.
enum ChangePassword {
  static let hashOfPerson = SQL<GlobalID>("SELECT password_hash FROM account WHERE id = \(\.self)")
  static let set = SQL<(person: GlobalID, hash: String)>(
    "UPDATE account SET password_hash = \(\.hash) WHERE id = \(\.person)"
  )

  static let mutation = FieldBinding.mutation(.input(required: ["oldPassword", "newPassword"])) { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments)
    let own = try await context.read { reader in try WeakPassword.ownTexts(of: viewer.member, from: reader) }
    let password = form.newPassword("newPassword", own: own)
    let error = try await passwordError(
      of: form["oldPassword"]?.string ?? "",
      field: "oldPassword",
      person: viewer.member,
      in: context
    )
    if let error { form.reject([error]) }
    guard form.errors.isEmpty, let password else { return Payload(errors: form.errors) }
    let subject = LimitedSubject.person(viewer.member)
    try await context.take(.newPassword, by: subject)
    let hash = try await context.hash(password, for: .change, of: subject)
    let services = context.services
    try await context.write { transaction in
      try set(hash, of: viewer.member, in: transaction)
      try Sessions.endAll(
        openedBy: viewer.member,
        in: viewer.family,
        but: viewer.session,
        services: services,
        transaction: transaction
      )
    }
    return Payload(["account": [viewer.key]])
  }

  /// The error that the password is wrong; nil if it is correct.
  static func passwordError(
    of password: String,
    field: String,
    person: GlobalID,
    in context: RequestContext
  ) async throws -> UserError? {
    guard let hash = try await context.read({ reader in try hash(of: person, from: reader) }) else {
      let message: UserError.Message =
        "Your account has no password: set one first by requesting a password reset mail."
      return UserError(field: [field], code: .notAllowed, message: message)
    }
    let match = try await context.match(password, among: [hash], for: .change, of: .person(person))
    guard match == nil else { return nil }
    return UserError(field: [field], code: .wrongCredentials, message: "The password is wrong.")
  }

  /// Returns nil for an account without a password.
  static func hash(of person: GlobalID, from reader: Reader) throws -> String? {
    try reader.first(of: hashOfPerson, person) { row in row.optionalString(0) } ?? nil
  }

  /// Sets a new password, and revokes open links to reset the old one. What was begun with the old one ends by
  /// `Sessions.endAll(openedBy:)`.
  static func set(_ hash: String, of person: GlobalID, in transaction: WriteTransaction) throws {
    try transaction.run(set, (person: person, hash: hash))
    try OneTimeToken.revoke(.passwordReset, of: person, in: transaction)
  }
}
