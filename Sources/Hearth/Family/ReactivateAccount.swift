import Storage

/// Reactivates a deactivated account. The contacts, groups and the avatar that deactivation removed are not restored.
enum ReactivateAccount {
  static let reactivate = SQL<(person: GlobalID, now: Timestamp)>(
    """
    UPDATE person SET joined_family_at = joined_family_at + (\(\.now) - deactivated_at), deactivated_at = NULL, \
    erase_at = NULL WHERE id = \(\.person) AND deactivated_at IS NOT NULL AND erased_at IS NULL
    """
  )

  /// Reactivates an account at any time before it is erased, as operators can.
  static func run(_ person: GlobalID, at now: Int64, services: Services, in transaction: WriteTransaction) throws {
    try transaction.run(reactivate, (person: person, now: Timestamp(now)))
    guard transaction.changedRows > 0 else { return }
    _ = try AccountReturn.rejoinFamily(person, by: nil, at: now, services: services, in: transaction)
  }
}
