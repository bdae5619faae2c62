import GraphQL
import Storage

enum AddItem {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let name = form.line("name", subject: "A name")
    let photo = try await form.picture("photo", in: context)
    guard form.errors.isEmpty, let name else { return Payload(errors: form.errors) }
    let key = try await context.write(as: viewer, with: photo) { write in
      let item = Item(
        family: write.family,
        id: try KeySequence.next(.item, in: write.transaction),
        name: name,
        createdBy: viewer.member,
        createdAt: write.now,
        photo: try photo.number(write.transaction)
      )
      try write.transaction.run(Item.table.insert, item)
      write.record(.itemChanged, subject: item.id)
      return item.id
    }
    return Payload(["item": [key]])
  }
}
