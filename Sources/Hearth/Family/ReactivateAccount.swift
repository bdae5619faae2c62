import Storage

/// Reactivates a deactivated account. The contacts, groups and the avatar that deactivation removed are not restored.
enum ReactivateAccount {
  static let reactivate = SQL<GlobalID>(
    """
    UPDATE person SET deactivated_at = NULL, erase_at = NULL \
    WHERE id = \(\.self) AND deactivated_at IS NOT NULL AND erased_at IS NULL
    """
  )

  static func run(_ person: GlobalID, at now: Int64, services: Services, in transaction: WriteTransaction) throws {
    try transaction.run(reactivate, person)
    guard transaction.changedRows > 0, let family = try FamilyMember.family(of: person, in: transaction) else { return }
    try SearchIndex.update(person, in: transaction)
    FamilyEvent.record(.parentJoined, subject: person, of: family, at: now, in: transaction)
    let others = try Notifications.parents(of: family, in: transaction).filter { $0 != person }
    for parent in others {
      try Notifications.notify(
        parent,
        of: family,
        kind: .parentJoinedNotification,
        about: person,
        by: nil,
        at: now,
        in: transaction
      )
    }
    guard others.isEmpty else { return }
    // The last parent who left has kept their chores.
    for former in try transaction.reader.keys(of: FamilyMerge.returnable, family) {
      try Assignees.unassign(former, of: family, at: now, in: transaction)
    }
    // Chores stopped repeating when the last parent left. The next turn finds those that repeat.
    try transaction.run(PeriodTurn.setNext, (family: family, turn: Timestamp(now)))
    transaction.afterCommit { services.turns.schedule(at: now) }
  }
}
