import GraphQL
import Storage

enum UpdateItem {
  static let exists = SQL("SELECT 1 FROM item WHERE family_id = ?1 AND id = ?2")
  static let update = SQL(
    "UPDATE item SET name = ifnull(?3, name), photo = iif(?4, ?5, photo) WHERE family_id = ?1 AND id = ?2"
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let item = context.services.cipher.key(of: form["id"]?.string ?? "")
    let name = form.line("name", "A name", required: form.gives("name"))
    let photo = try await photo(&form, context)
    let refused = form.errors
    let now = context.now
    let key = try await context.write(with: refused.isEmpty ? photo : .unchanged) { transaction in
      let finding = try transaction.statement(exists)
      try finding.bind(1, viewer.family.rawValue)
      try finding.bind(2, item?.rawValue ?? 0)
      guard try finding.first({ _ in true }) == true, let item else {
        throw Refused([notFound(["input", "id"])] + refused)
      }
      guard refused.isEmpty else { throw Refused(refused) }
      let statement = try transaction.statement(update)
      try statement.bind(1, viewer.family.rawValue)
      try statement.bind(2, item.rawValue)
      try statement.bind(3, name)
      try statement.bind(4, photo.isGiven)
      try statement.bind(5, try photo.number(transaction))
      try statement.run()
      try FamilyEvent.record(.itemChanged, item, of: viewer.family, at: now, transaction)
      return item
    }
    return Payload(["item": [key]])
  }

  /// A new one, or none any more: by `null`, or for clients that cannot send that, by `removePhoto`.
  private static func photo(_ form: inout InputForm, _ context: RequestContext) async throws -> PictureChange {
    let photo = try await form.picture("photo", context)
    guard form["removePhoto"]?.boolean == true else { return photo }
    if form["photo"] != nil {
      form.refuse("removePhoto", code: .invalid, "A photo cannot be given and removed at once.")
    }
    return .removed
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "No item of the family has this id.")
  }
}
