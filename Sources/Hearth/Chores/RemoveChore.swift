import GraphQL
import Storage

/// `removeChore`: the chore leaves all lists, and does not repeat any more. Its row stays for the
/// points that were given for it.
enum RemoveChore {
  static let remove = SQL(
    """
    UPDATE chore SET removed_at = ?3, updated_at = ?3, assignees = x'', repeats = 0 \
    WHERE family_id = ?1 AND id = ?2 AND removed_at IS NULL
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let family = viewer.family.rawValue
    let chore = context.services.cipher.key(of: arguments["id"]?.string ?? "")
    let now = context.now
    let key = try await context.write { transaction in
      try transaction.run(remove, family, chore?.rawValue ?? 0, now)
      guard transaction.changedRows > 0, let chore else { throw Refused([ChoreRow.notFound(["id"])]) }
      try transaction.run(UpdateChore.unassign, family, chore.rawValue)
      try transaction.run(ReminderRow.deleteOfChore, family, chore.rawValue)
      try FamilyEvent.record(.choreRemoved, chore, of: viewer.family, at: now, transaction)
      return chore
    }
    return Payload(removed: key)
  }
}
