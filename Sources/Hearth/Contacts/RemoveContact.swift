import GraphQL
import Storage

/// `removeContact`: from both books; the other is told.
enum RemoveContact {
  static let personOf = SQL("SELECT person_id FROM contact WHERE owner_id = ?1 AND id = ?2")

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let key = context.services.cipher.key(of: arguments["id"]?.string ?? "")
    let now = context.now
    let removed = try await context.write { transaction in
      let finding = try transaction.statement(personOf)
      try finding.bind(1, viewer.member.rawValue)
      try finding.bind(2, key?.rawValue ?? 0)
      let person = try finding.first { row in GlobalID(rawValue: row.int64(0)) }
      guard let person, let key else { throw Refused([ContactBook.notFound("id")]) }
      try transaction.run(ContactBook.deletePair, viewer.member.rawValue, person.rawValue)
      try Notifications.tell(person, .contactRemovedNotification, by: viewer.member, at: now, transaction)
      return key
    }
    return Payload(removed: removed)
  }
}
