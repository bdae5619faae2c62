import GraphQL
import Storage

/// `changePassword`: requires the old password. All other sessions that were opened with this account end.
enum ChangePassword {
  static let mutation = FieldBinding.mutation(.input(required: ["oldPassword", "newPassword"])) { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments)
    let own = try await context.read { reader in try WeakPassword.ownTexts(of: viewer.member, from: reader) }
    let password = form.newPassword("newPassword", own: own)
    let old = form["oldPassword"]?.string ?? ""
    if let error = try await context.passwordError(of: old, at: ["oldPassword"], person: viewer.member) {
      form.reject([error])
    }
    guard form.errors.isEmpty, let password else { return Payload(errors: form.errors) }
    let subject = LimitedSubject.person(viewer.member)
    try await context.take(.newPassword, by: subject)
    let hash = try await context.hash(password, for: .change, of: subject)
    try await context.write { write in
      try StoredPassword.set(hash, of: viewer.member, in: write.transaction)
      try Sessions.endAll(
        openedBy: viewer.member,
        in: viewer.family,
        but: viewer.session,
        transaction: write.transaction
      )
    }
    return Payload(["account": [viewer.key]])
  }
}
