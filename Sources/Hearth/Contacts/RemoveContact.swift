import GraphQL
import Storage

/// `removeContact`: deletes the contact from both address books and notifies the other person.
enum RemoveContact {
  static let personOf = SQL<(owner: GlobalID, contact: GlobalID?)>(
    "SELECT person_id FROM contact WHERE owner_id = \(\.owner) AND id = \(\.contact)"
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let key = context.cipher.key(of: arguments["id"])
    let removed = try await context.write { write in
      let person = try write.reader.first(of: personOf, (owner: viewer.member, contact: key)) { row in
        row.key(0)
      }
      guard let person, let key else { throw RejectedInput([ContactBook.notFound("id")]) }
      try ContactBook.disconnect(viewer.member, from: person, in: write)
      try Notifications.notify(person, kind: .contactRemovedNotification, by: viewer.member, in: write)
      return key
    }
    return Payload(removed: removed)
  }
}
