import Storage

/// Everything that a family has goes over to another: nothing is lost when its last member does.
enum FamilyMerge {
  /// Rows that name others of their family move one after the other, and fit together again when all have.
  static let deferForeignKeys = SQL("PRAGMA defer_foreign_keys = ON")
  /// Those who left too: what they added still says by whom.
  static let movePeople = SQL(
    "UPDATE person SET family_id = ?2, family_since = (SELECT next - 1 FROM sequence) WHERE family_id = ?1"
  )
  static let moveFormerParents = SQL("UPDATE OR IGNORE former_parent SET family_id = ?2 WHERE family_id = ?1")
  /// Children that were removed, with their history.
  static let moveChildren = SQL("UPDATE child SET family_id = ?2 WHERE family_id = ?1")
  static let moveChores = SQL("UPDATE chore SET family_id = ?2 WHERE family_id = ?1")
  static let moveAssignments = SQL("UPDATE assignment SET family_id = ?2 WHERE family_id = ?1")
  static let moveReminders = SQL("UPDATE reminder SET family_id = ?2 WHERE family_id = ?1")
  static let moveContracts = SQL("UPDATE contract SET family_id = ?2 WHERE family_id = ?1")
  static let moveLevels = SQL("UPDATE reward_level SET family_id = ?2 WHERE family_id = ?1")
  static let moveFinishedChores = SQL("UPDATE finished_chore SET family_id = ?2 WHERE family_id = ?1")
  static let moveItems = SQL("UPDATE item SET family_id = ?2 WHERE family_id = ?1")
  /// The chores that repeat do so in the new family's zone from now on: it looks for them at once.
  static let moveTurn = SQL(
    """
    UPDATE family SET next_turn_at = 0 WHERE id = ?2 \
    AND (SELECT next_turn_at FROM family WHERE id = ?1) IS NOT NULL
    """
  )

  static let choresOf = SQL("SELECT id FROM chore WHERE family_id = ?1 AND removed_at IS NULL")
  static let itemsOf = SQL("SELECT id FROM item WHERE family_id = ?1")

  /// Keys are unique over all families, so nothing that moves meets its like.
  static func move(
    _ old: GlobalID,
    into new: GlobalID,
    at now: Int64,
    _ services: Services,
    _ transaction: WriteTransaction
  ) throws {
    let chores = try keys(choresOf, of: old, transaction)
    let items = try keys(itemsOf, of: old, transaction)
    let due = try ReminderDue.all(of: old, transaction)
    let hosts = try Notifications.parents(of: new, transaction)
    try transaction.statement(deferForeignKeys).run()
    for table in [
      movePeople, moveFormerParents, moveChildren, moveChores, moveAssignments, moveReminders, moveContracts,
      moveLevels,
      moveFinishedChores, moveItems, moveTurn,
    ] {
      try transaction.run(table, old.rawValue, new.rawValue)
    }
    for chore in chores { try FamilyEvent.record(.choreChanged, chore, of: new, at: now, transaction) }
    for item in items { try FamilyEvent.record(.itemChanged, item, of: new, at: now, transaction) }
    for host in hosts { ReminderDue.tell(due, to: host, transaction) }
    try PeriodTurn.end(old, transaction)
    // Nobody can join a family without parents.
    try FamilyInvitationRow.deleteAll(of: old, transaction)
    transaction.afterCommit { services.turns.schedule(at: 0) }
  }

  private static func keys(_ sql: SQL<Positional>, of family: GlobalID, _ transaction: WriteTransaction) throws
    -> [GlobalID]
  {
    let statement = try transaction.statement(sql)
    try statement.bind(1, family.rawValue)
    var keys: [GlobalID] = []
    try statement.forEachRow { row in keys.append(GlobalID(rawValue: row.int64(0))) }
    return keys
  }
}
