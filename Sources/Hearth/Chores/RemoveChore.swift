import GraphQL
import Storage

/// `removeChore` removes the chore from all lists and stops its repetition. Its row is kept for the points that were
/// assigned for it.
enum RemoveChore {
  static let remove = SQL<(family: GlobalID, chore: GlobalID, now: Timestamp)>(
    """
    UPDATE chore SET removed_at = \(\.now), updated_at = \(\.now), assignees = \(.emptyBlob), repeats = 0 \
    WHERE family_id = \(\.family) AND id = \(\.chore) AND removed_at IS NULL
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let family = viewer.family
    let chore = context.cipher.key(of: arguments["id"])
    let key = try await context.write(as: viewer) { write in
      guard let chore else { throw RejectedInput([Chore.notFound(["id"])]) }
      try write.transaction.run(remove, (family: write.family, chore: chore, now: write.now))
      guard write.transaction.changedRows > 0 else { throw RejectedInput([Chore.notFound(["id"])]) }
      try Assignment.deleteAll(of: chore, in: write)
      try Reminder.deleteAll(of: chore, in: write)
      write.record(.choreRemoved, subject: chore)
      return chore
    }
    return Payload(removed: key)
  }
}
