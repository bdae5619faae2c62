import GraphQL
import Storage

/// `removeChore` removes the chore from all lists and stops its repetition. Its row is kept for the points that were
/// assigned for it.
enum RemoveChore {
  static let remove = SQL<(family: GlobalID, chore: GlobalID, now: Timestamp)>(
    """
    UPDATE chore SET removed_at = \(\.now), updated_at = \(\.now), assignees = \(blob: .empty), repeats = 0 \
    WHERE family_id = \(\.family) AND id = \(\.chore) AND removed_at IS NULL
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let family = viewer.family
    let chore = context.cipher.key(of: arguments["id"])
    let now = context.now
    let key = try await context.write { transaction in
      guard let chore else { throw RejectedInput([ChoreRow.notFound(["id"])]) }
      try transaction.run(remove, (family: family, chore: chore, now: Timestamp(now)))
      guard transaction.changedRows > 0 else { throw RejectedInput([ChoreRow.notFound(["id"])]) }
      try Assignment.deleteAll(of: chore, in: family, transaction: transaction)
      try ReminderRow.deleteAll(of: chore, in: family, transaction: transaction)
      FamilyEvent.record(.choreRemoved, subject: chore, of: viewer.family, at: now, in: transaction)
      return chore
    }
    return Payload(removed: key)
  }
}
