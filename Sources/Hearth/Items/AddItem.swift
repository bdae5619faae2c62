import GraphQL
import Storage

enum AddItem {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let name = form.line("name", subject: "A name")
    let photo = try await form.picture("photo", context)
    guard form.errors.isEmpty, let name else { return Payload(errors: form.errors) }
    let now = context.now
    let key = try await context.write(with: photo) { transaction in
      let item = Item(
        family: viewer.family,
        id: try KeySequence.next(.item, transaction),
        name: name,
        createdBy: viewer.member,
        createdAt: Timestamp(now),
        photo: try photo.number(transaction)
      )
      try transaction.run(Item.table.insert, item)
      try FamilyEvent.record(.itemChanged, item.id, of: viewer.family, at: now, transaction)
      return item.id
    }
    return Payload(["item": [key]])
  }
}
