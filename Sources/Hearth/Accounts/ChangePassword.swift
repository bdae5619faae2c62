import GraphQL
import Storage

/// `changePassword`: for those who know the old one. Whoever else was signed in is so no more.
enum ChangePassword {
  static let hashOfPerson = SQL("SELECT password_hash FROM account WHERE id = ?1")
  static let set = SQL("UPDATE account SET password_hash = ?2 WHERE id = ?1")

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments)
    let password = form.newPassword("newPassword")
    if try await !isRight(form["oldPassword"]?.string ?? "", of: viewer.member, context) {
      form.refuse("oldPassword", code: .wrongCredentials, "This is not the password.")
    }
    guard form.errors.isEmpty, let password else { return Payload(errors: form.errors) }
    let hash = try await context.hash(password)
    let services = context.services
    try await context.write { transaction in
      try set(hash, of: viewer.member, transaction)
      try Sessions.endAll(of: viewer.member, but: viewer.session, services, transaction)
    }
    return Payload(["account": [viewer.key]])
  }

  /// Whether this is the person's password.
  static func isRight(_ password: String, of person: GlobalID, _ context: RequestContext) async throws -> Bool {
    let statement = try context.reader.statement(hashOfPerson)
    try statement.bind(1, person.rawValue)
    let hash = try statement.first { row in row.optionalString(0) } ?? nil
    return try await context.match(password, among: [hash].compactMap(\.self), of: "person \(person.rawValue)") != nil
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
