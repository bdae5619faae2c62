import GraphQL
import Storage

enum AddItem {
  static let insert = SQL(
    "INSERT INTO item (family_id, id, name, created_by, created_at, photo) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let name = form.line("name", "A name")
    let photo = try await form.picture("photo", context)
    guard form.errors.isEmpty, let name else { return Payload(errors: form.errors) }
    let now = context.now
    let key = try await context.write(with: photo) { transaction in
      let key = try KeySequence.next(.item, transaction)
      let statement = try transaction.statement(insert)
      try statement.bind(1, viewer.family.rawValue)
      try statement.bind(2, key.rawValue)
      try statement.bind(3, name)
      try statement.bind(4, viewer.member.rawValue)
      try statement.bind(5, now)
      try statement.bind(6, try photo.number(transaction))
      try statement.run()
      try FamilyEvent.record(.itemChanged, key, of: viewer.family, at: now, transaction)
      return key
    }
    return Payload(["item": [key]])
  }
}
