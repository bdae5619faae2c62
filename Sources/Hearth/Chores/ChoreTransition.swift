import Storage

/// Transitions of a chore's status. Each writes everything that follows from it: the rows of `assignment`, the chore's
/// reminders, and the event for subscribers. Nothing else writes these columns, except `UpdateChore`, whose patch can
/// set any status.
enum ChoreTransition {
  typealias Change = (family: GlobalID, chore: GlobalID, now: Timestamp)

  static let finish = SQL<Change>(
    """
    UPDATE chore SET status = \(ChoreStatus.done), updated_at = \(\.now) \
    WHERE family_id = \(\.family) AND id = \(\.chore) AND status = \(ChoreStatus.open)
    """
  )
  static let archive = SQL<Change>(
    """
    UPDATE chore SET status = \(ChoreStatus.archived), updated_at = \(\.now) \
    WHERE family_id = \(\.family) AND id = \(\.chore)
    """
  )
  static let reopen = SQL<Change>(
    """
    UPDATE chore SET status = \(ChoreStatus.open), updated_at = \(\.now) \
    WHERE family_id = \(\.family) AND id = \(\.chore)
    """
  )

  /// Marks an open chore as done. Its due reminders count as ignored by `member`. Has no effect on a chore that is not
  /// open.
  static func finish(
    _ chore: GlobalID,
    of family: GlobalID,
    by member: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    guard try finish(chore, of: family, at: now, transaction) else { return }
    try ReminderRow.ignoreDue(of: chore, in: family, by: member, transaction)
    try FamilyEvent.record(.choreChanged, chore, of: family, at: now, transaction)
  }

  /// Writes only the rows, for seeding. Returns false when the chore was not open.
  @discardableResult
  static func finish(
    _ chore: GlobalID,
    of family: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws -> Bool {
    try transaction.run(finish, (family: family, chore: chore, now: Timestamp(now)))
    guard transaction.changedRows > 0 else { return false }
    try Assignment.update(with: chore, of: family, transaction)
    return true
  }

  /// Archives a chore of an earlier period and settles its reminders.
  static func archive(
    _ chore: GlobalID,
    of family: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    try setArchived(chore, of: family, at: now, transaction)
    try ReminderRow.ignoreAll(of: chore, in: family, transaction)
    try FamilyEvent.record(.choreChanged, chore, of: family, at: now, transaction)
  }

  /// Writes only the rows, for seeding.
  static func setArchived(
    _ chore: GlobalID,
    of family: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    try transaction.run(archive, (family: family, chore: chore, now: Timestamp(now)))
    try Assignment.update(with: chore, of: family, transaction)
  }

  /// Reopens a chore that was archived by mistake.
  static func reopen(
    _ chore: GlobalID,
    of family: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    try transaction.run(reopen, (family: family, chore: chore, now: Timestamp(now)))
    try Assignment.update(with: chore, of: family, transaction)
    try FamilyEvent.record(.choreChanged, chore, of: family, at: now, transaction)
  }
}
