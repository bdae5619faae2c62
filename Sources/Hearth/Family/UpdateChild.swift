import GraphQL
import Storage

/// `updateChildProfile`, formerly `updateChild`: by a parent, or by the child itself.
enum UpdateChild {
  static let update: PatchStatement<Child, ChildKey> = Child.table.update(
    [\.name, \.username, \.usernameKey, \.dateOfBirth, \.gender, \.theme, \.avatar, \.locale],
    where: "family_id = \(\.family) AND id = \(\.child) AND removed_at IS NULL"
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    var form = InputForm(arguments["input"], at: ["input"])
    let child = context.cipher.key(of: form["id"])
    if viewer.isChild && child != viewer.member {
      throw FieldError("A child can change only its own profile.", code: .forbidden)
    }
    if viewer.isChild && form.gives("username") {
      throw FieldError("Only a parent can change a username.", code: .forbidden)
    }
    let username = Username.read(&form, required: form.gives("username"))
    if let username {
      // The write checks it again. This counts it against the limit.
      _ = try await Username.checkIsTaken(username, besides: child, by: viewer.family, in: context)
    }
    let name = form.line("name", subject: "A name", required: form.gives("name"))
    if form.gives("dateOfBirth") && form["dateOfBirth"] == nil {
      form.reject("dateOfBirth", code: .blank, message: "A date of birth is required.")
    }
    var row = RowPatch<Child>()
    row.set(\.name, to: name)
    row.set(\.username, to: username)
    row.set(\.usernameKey, to: username?.lowercased())
    // A date of birth can be changed, but not cleared.
    let today = try await context.inPasses { try context.today() }
    row.apply(form.birthday("dateOfBirth", today: today).map(Patch.set) ?? .unchanged, to: \.dateOfBirth)
    row.set(\.gender, to: form.change("gender", default: .unspecified))
    row.set(\.theme, to: form.change("theme", default: .sunrise))
    row.apply(form.patch("locale", value: form.locale("locale")), to: \.locale)
    let changes = row
    let avatar = try await form.picture("avatar", in: context)
    let inputErrors = form.errors
    let key = try await context.write(as: viewer, with: inputErrors.isEmpty ? avatar : .unchanged) { write in
      let child = try update(
        child,
        with: changes,
        username: username,
        avatar: avatar,
        inputErrors: inputErrors,
        in: write
      )
      write.record(.childChanged, subject: child)
      return child
    }
    return Payload(["child": [key]])
  }

  private static func update(
    _ child: GlobalID?,
    with changes: RowPatch<Child>,
    username: String?,
    avatar: PictureChange,
    inputErrors: [UserError],
    in write: FamilyWrite
  ) throws -> GlobalID {
    guard try Child.exists(child, of: write.family, from: write.reader), let child else {
      throw RejectedInput([Child.notFound(["input", "id"])] + inputErrors)
    }
    guard inputErrors.isEmpty else { throw RejectedInput(inputErrors) }
    if let username, try Username.isTaken(username, besides: child, from: write.reader) {
      throw RejectedInput(["input", "username"], code: .taken, message: Username.takenMessage)
    }
    var changes = changes
    changes.apply(try avatar.patch(write.transaction), to: \.avatar)
    try write.transaction.run(update, patch: changes, parameters: (family: write.family, child: child))
    return child
  }
}
