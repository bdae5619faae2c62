import GraphQL
import Storage

/// `updateChild`: by a parent, or by the child itself.
enum UpdateChild {
  static let update = SQL(
    """
    UPDATE child SET name = ifnull(?3, name), date_of_birth = ifnull(?4, date_of_birth), \
    gender = ifnull(?5, gender), theme = ifnull(?6, theme), avatar = iif(?7, ?8, avatar) \
    WHERE family_id = ?1 AND id = ?2 AND removed_at IS NULL
    """
  )

  /// Nil is what stays.
  private struct Changes: Sendable {
    let name: String?
    let dateOfBirth: String?
    let gender: Gender?
    let theme: Theme?
    let avatar: PictureChange
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    var form = InputForm(arguments["input"], at: ["input"])
    let child = context.services.cipher.key(of: form["id"]?.string ?? "")
    if viewer.isChild && child != viewer.member {
      throw FieldError("A child may change only itself.", code: .forbidden)
    }
    let name = form.line("name", "A name", required: form.gives("name"))
    if form.gives("dateOfBirth") && form["dateOfBirth"] == nil {
      form.refuse("dateOfBirth", code: .blank, "A date of birth is needed.")
    }
    let changes = Changes(
      name: name,
      dateOfBirth: form.birthday("dateOfBirth", today: try context.today()),
      gender: form.change("gender", default: .unspecified),
      theme: form.change("theme", default: .sunrise),
      avatar: try await form.picture("avatar", context)
    )
    let refused = form.errors
    let now = context.now
    let key = try await context.write(with: refused.isEmpty ? changes.avatar : .unchanged) { transaction in
      let child = try update(child, of: viewer.family, changes, refused: refused, transaction)
      try FamilyEvent.record(.childChanged, child, of: viewer.family, at: now, transaction)
      return child
    }
    return Payload(["child": [key]])
  }

  private static func update(
    _ child: GlobalID?,
    of family: GlobalID,
    _ changes: Changes,
    refused: [UserError],
    _ transaction: WriteTransaction
  ) throws -> GlobalID {
    guard try ChildRow.exists(child, in: family, transaction), let child else {
      throw Refused([ChildRow.notFound(["input", "id"])] + refused)
    }
    guard refused.isEmpty else { throw Refused(refused) }
    let statement = try transaction.statement(update)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, child.rawValue)
    try statement.bind(3, changes.name)
    try statement.bind(4, changes.dateOfBirth)
    try statement.bind(5, changes.gender?.stored)
    try statement.bind(6, changes.theme?.stored)
    try statement.bind(7, changes.avatar.isGiven)
    try statement.bind(8, try changes.avatar.number(transaction))
    try statement.run()
    return child
  }
}
