import GraphQL
import Storage

/// Reminders as they are written, and who may.
enum ReminderRow {
  /// How many a chore can have, those that were answered among them.
  static let maximumOfChore = 100

  static let insert = SQL(
    "INSERT INTO reminder (family_id, id, chore_id, remind_at, status) VALUES (?1, ?2, ?3, ?4, 0)"
  )
  static let countOfChore = SQL("SELECT count(*) FROM reminder WHERE family_id = ?1 AND chore_id = ?2")
  static let byKey = SQL("SELECT chore_id, status, remind_at FROM reminder WHERE family_id = ?1 AND id = ?2")
  static let deleteOfChore = SQL("DELETE FROM reminder WHERE family_id = ?1 AND chore_id = ?2")
  /// What is due of a chore that has been done, or put away, by member 3.
  static let putDueAway = SQL(
    """
    UPDATE reminder INDEXED BY reminder_by_chore SET status = 3, answered_by = ?3 \
    WHERE family_id = ?1 AND chore_id = ?2 AND status = 1
    """
  )
  static let isAssigned = SQL(
    "SELECT 1 FROM assignment WHERE family_id = ?1 AND chore_id = ?2 AND member_id = ?3"
  )

  struct Found: Sendable {
    let key: GlobalID
    let chore: GlobalID
    let status: ReminderStatus
    let remindAt: Int64
  }

  /// The reminder of this key in the viewer's family, which the viewer may change.
  static func find(
    _ key: GlobalID?,
    for viewer: Viewer,
    at field: [String],
    _ transaction: WriteTransaction
  ) throws -> Found {
    let statement = try transaction.statement(byKey)
    try statement.bind(1, viewer.family.rawValue)
    try statement.bind(2, key?.rawValue ?? 0)
    let found = try statement.first { row in
      (chore: GlobalID(rawValue: row.int64(0)), status: row.int64(1), remindAt: row.int64(2))
    }
    guard let found, let key, let status = ReminderStatus(stored: found.status) else {
      throw Refused(field, .notFound, "No reminder of the family has this id.")
    }
    try require(viewer, toChangeRemindersOf: found.chore, transaction)
    return Found(key: key, chore: found.chore, status: status, remindAt: found.remindAt)
  }

  /// A child's own reminders are those of chores that are its own.
  static func require(
    _ viewer: Viewer,
    toChangeRemindersOf chore: GlobalID,
    _ transaction: WriteTransaction
  ) throws {
    guard viewer.isChild else { return }
    let statement = try transaction.statement(isAssigned)
    try statement.bind(1, viewer.family.rawValue)
    try statement.bind(2, chore.rawValue)
    try statement.bind(3, viewer.member.rawValue)
    guard try statement.first({ _ in true }) == true else {
      throw FieldError("A child may change only reminders of its own chores.", code: .forbidden)
    }
  }

  /// The scheduler hears of it when it is on the disk.
  static func insert(
    _ remindAt: Int64,
    of chore: GlobalID,
    in family: GlobalID,
    _ services: Services,
    _ transaction: WriteTransaction
  ) throws -> GlobalID {
    let key = try KeySequence.next(.reminder, transaction)
    try transaction.run(insert, family.rawValue, key.rawValue, chore.rawValue, remindAt)
    transaction.afterCommit { services.reminders.schedule(at: remindAt) }
    return key
  }

  static let pastMessage = "A reminder's time must be in the future."
}
