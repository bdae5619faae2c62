import Storage

/// Statements that write reminders, and who may use them.
extension Reminder {
  /// The number of reminders that a chore can have, including answered ones.
  static let maximumOfChore = 100

  static let countOfChore = SQL<ChoreKey>(
    "SELECT count(*) FROM reminder WHERE family_id = \(\.family) AND chore_id = \(\.chore)"
  )
  static let byKey = SQL<(family: GlobalID, reminder: GlobalID)>(
    """
    SELECT chore_id, status, coalesce(snoozed_from, remind_at) FROM reminder \
    WHERE family_id = \(\.family) AND id = \(\.reminder)
    """
  )
  static let deleteOfChore = SQL<ChoreKey>(
    "DELETE FROM reminder WHERE family_id = \(\.family) AND chore_id = \(\.chore)"
  )
  static let ignoreDue = SQL<Assignment.Parameters>(
    """
    UPDATE reminder \(index: "reminder_by_chore") \
    SET status = \(ReminderStatus.ignored), answered_by = \(\.member) \
    WHERE family_id = \(\.family) AND chore_id = \(\.chore) AND status = \(ReminderStatus.due)
    """
  )
  static let ignoreAll = SQL<ChoreKey>(
    """
    UPDATE reminder \(index: "reminder_by_chore") SET status = \(ReminderStatus.ignored) \
    WHERE family_id = \(\.family) AND chore_id = \(\.chore) \
    AND status IN (\(ReminderStatus.scheduled), \(ReminderStatus.due))
    """
  )

  struct Found: Sendable {
    let key: GlobalID
    let chore: GlobalID
    let status: ReminderStatus
    /// The time it was set for. Snoozing does not change it.
    let setFor: Int64
  }

  /// Returns the reminder with this key in the viewer's family. Throws when it does not exist or the viewer may not
  /// change it.
  static func find(
    _ key: GlobalID?,
    for viewer: Viewer,
    at field: [String],
    from reader: Reader
  ) throws -> Found {
    let found = try key.flatMap { key in
      try reader.first(of: byKey, (family: viewer.family, reminder: key)) { row in
        (chore: row.key(0), status: row.int64(1), setFor: row.int64(2))
      }
    }
    guard let found, let key, let status = ReminderStatus(stored: found.status) else {
      throw RejectedInput(field, code: .notFound, message: "No reminder of the family has this id.")
    }
    try require(viewer, toChangeRemindersOf: found.chore, from: reader)
    return Found(key: key, chore: found.chore, status: status, setFor: found.setFor)
  }

  /// Children may change only the reminders of chores that are assigned to them.
  static func require(_ viewer: Viewer, toChangeRemindersOf chore: GlobalID, from reader: Reader) throws {
    try Assignment.require(
      viewer,
      assignedTo: chore,
      message: "A child may change only reminders of its own chores.",
      from: reader
    )
  }

  /// Inserts a reminder. The scheduler is notified after the commit.
  ///
  /// - Parameter plannedAt: see `Reminder.plannedAt`.
  @discardableResult
  static func insert(
    _ remindAt: Int64,
    plannedAt: Timestamp? = nil,
    of chore: GlobalID,
    reminders: Scheduler,
    in write: FamilyWrite
  ) throws -> GlobalID {
    let key = try KeySequence.next(.reminder, in: write.transaction)
    let reminder = Reminder(
      family: write.family,
      id: key,
      chore: chore,
      remindAt: Timestamp(remindAt),
      plannedAt: plannedAt
    )
    try write.transaction.run(Reminder.table.insert, reminder)
    write.transaction.afterCommit { reminders.schedule(at: remindAt) }
    return key
  }

  /// The due reminders of a chore that a member has finished or archived count as ignored.
  static func ignoreDue(of chore: GlobalID, by member: GlobalID, in write: FamilyWrite) throws {
    try write.transaction.run(ignoreDue, (family: write.family, chore: chore, member: member))
  }

  /// The due and scheduled reminders of a chore whose period is over count as ignored. Returns their number.
  static func ignoreAll(of chore: GlobalID, in write: FamilyWrite) throws -> Int {
    try write.transaction.run(ignoreAll, (family: write.family, chore: chore))
    return write.transaction.changedRows
  }

  static func deleteAll(of chore: GlobalID, in write: FamilyWrite) throws {
    try write.transaction.run(deleteOfChore, (family: write.family, chore: chore))
  }

  static let pastMessage: UserError.Message = "A reminder's time must be in the future."
}
