import GraphQL
import Storage

enum AddItem {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let name = form.line("name", subject: "A name")
    let photo = try await form.picture("photo", in: context)
    guard form.errors.isEmpty, let name else { return Payload(errors: form.errors) }
    let now = context.now
    let key = try await context.write(with: photo) { transaction in
      let item = Item(
        family: viewer.family,
        id: try KeySequence.next(.item, in: transaction),
        name: name,
        createdBy: viewer.member,
        createdAt: Timestamp(now),
        photo: try photo.number(transaction)
      )
      try transaction.run(Item.table.insert, item)
      FamilyEvent.record(.itemChanged, subject: item.id, of: viewer.family, at: now, in: transaction)
      return item.id
    }
    return Payload(["item": [key]])
  }
}
