import GraphQL
import Storage

enum UpdateItem {
  static let update: PatchStatement<Item, ItemKey> = Item.table.update(
    [\.name, \.photo],
    where: "family_id = \(\.family) AND id = \(\.item)"
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let item = context.cipher.key(of: form["id"])
    let name = form.line("name", subject: "A name", required: form.gives("name"))
    let photo = try await photo(&form, in: context)
    let inputErrors = form.errors
    let key = try await context.write(as: viewer, with: inputErrors.isEmpty ? photo : .unchanged) { write in
      guard try Item.exists(item, of: write.family, from: write.reader), let item else {
        throw RejectedInput([Item.notFound(["input", "id"])] + inputErrors)
      }
      guard inputErrors.isEmpty else { throw RejectedInput(inputErrors) }
      var changes = RowPatch<Item>()
      changes.set(\.name, to: name)
      changes.apply(try photo.patch(write.transaction), to: \.photo)
      try write.transaction.run(update, patch: changes, parameters: (family: write.family, item: item))
      write.record(.itemChanged, subject: item)
      return item
    }
    return Payload(["item": [key]])
  }

  /// A new photo, or its removal: by `null`, or by `removePhoto` for clients that cannot send `null`.
  private static func photo(_ form: inout InputForm, in context: RequestContext) async throws -> PictureChange {
    let photo = try await form.picture("photo", in: context)
    guard form["removePhoto"]?.boolean == true else { return photo }
    if form["photo"] != nil {
      form.reject("removePhoto", code: .invalid, message: "A request cannot both set and remove a photo.")
    }
    return .removed
  }
}
