import GraphQL
import Storage

/// `changePassword`: requires the old password. All other sessions that were opened as this adult end.
enum ChangePassword {
  static let hashOfPerson = SQL("SELECT password_hash FROM account WHERE id = ?1")
  static let set = SQL("UPDATE account SET password_hash = ?2 WHERE id = ?1")

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments)
    let password = form.newPassword("newPassword", own: try WeakPassword.ownTexts(of: viewer.member, context.reader))
    let refusal = try await refusal(of: form["oldPassword"]?.string ?? "", "oldPassword", viewer.member, context)
    if let refusal { form.refuse([refusal]) }
    guard form.errors.isEmpty, let password else { return Payload(errors: form.errors) }
    let subject = LimitedSubject.person(viewer.member)
    try context.take(.newPassword, by: subject)
    let hash = try await context.hash(password, for: .change, of: subject)
    let services = context.services
    try await context.write { transaction in
      try set(hash, of: viewer.member, transaction)
      try Sessions.endAll(openedBy: viewer.member, in: viewer.family, but: viewer.session, services, transaction)
    }
    return Payload(["account": [viewer.key]])
  }

  /// Why this is not taken for the person's password; nil where it is theirs.
  static func refusal(
    of password: String,
    _ field: String,
    _ person: GlobalID,
    _ context: RequestContext
  ) async throws -> UserError? {
    let statement = try context.reader.statement(hashOfPerson)
    try statement.bind(1, person.rawValue)
    guard let hash = try statement.first({ row in row.optionalString(0) }) ?? nil else {
      let message = "Your account has no password: choose one first, by asking for a mail to reset it."
      return UserError(field: [field], code: .notAllowed, message: message)
    }
    let match = try await context.match(password, among: [hash], for: .change, of: .person(person))
    guard match == nil else { return nil }
    return UserError(field: [field], code: .wrongCredentials, message: "This is not the password.")
  }

  /// Links to reset the old one are good no more.
  static func set(_ hash: String, of person: GlobalID, _ transaction: WriteTransaction) throws {
    let statement = try transaction.statement(set)
    try statement.bind(1, person.rawValue)
    try statement.bind(2, hash)
    try statement.run()
    try OneTimeToken.revoke(.passwordReset, of: person, transaction)
  }
}
