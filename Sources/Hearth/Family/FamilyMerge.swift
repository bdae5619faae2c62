import GraphQL
import Storage

/// Moves what a family has to another family when its last member joins the other.
///
/// Removed children move with their names and their finished chores only, because chores refer to them. The rest of
/// what the family knew about them was not meant for the members of the other family, and is deleted.
enum FamilyMerge {
  typealias Move = (old: GlobalID, new: GlobalID)

  /// Includes erased people, to whom other rows refer as their creators.
  static let movePeople = SQL<Move>(
    """
    UPDATE person SET family_id = \(\.new), \
    family_since = (SELECT position FROM family_feed WHERE family_id = \(\.new)) WHERE family_id = \(\.old)
    """
  )
  static let moveFormerParents = SQL<Move>(
    """
    UPDATE former_parent SET family_id = \(\.new) WHERE family_id = \(\.old) AND NOT EXISTS (\
    SELECT 1 FROM former_parent AS f WHERE f.family_id = \(\.new) AND f.person_id = former_parent.person_id)
    """
  )
  /// Removed children. Active ones, and those that can still be restored, prevent the merge.
  static let moveChildren = SQL<Move>(
    """
    UPDATE child SET family_id = \(\.new), \(Child.clearedProfile()), points = 0, achievement_points = 0 \
    WHERE family_id = \(\.old)
    """
  )
  static let moveChores = SQL<Move>("UPDATE chore SET family_id = \(\.new) WHERE family_id = \(\.old)")
  static let moveAssignments = SQL<Move>("UPDATE assignment SET family_id = \(\.new) WHERE family_id = \(\.old)")
  /// Those who are still assigned to chores.
  static let moveDepartedMembers = SQL<Move>(
    """
    UPDATE departed_member SET family_id = \(\.new) WHERE family_id = \(\.old) AND NOT EXISTS (\
    SELECT 1 FROM departed_member AS d WHERE d.family_id = \(\.new) AND d.member_id = departed_member.member_id)
    """
  )
  static let moveReminders = SQL<Move>("UPDATE reminder SET family_id = \(\.new) WHERE family_id = \(\.old)")
  static let moveFinishedChores = SQL<Move>("UPDATE finished_chore SET family_id = \(\.new) WHERE family_id = \(\.old)")
  /// Only entries of adults are left by then. The triggers of the table move their balances.
  static let movePointEntries = SQL<Move>("UPDATE point_entry SET family_id = \(\.new) WHERE family_id = \(\.old)")
  static let moveItems = SQL<Move>("UPDATE item SET family_id = \(\.new) WHERE family_id = \(\.old)")
  /// Repeating chores follow the new family's time zone from now on, so its due time is set to the past.
  static let moveTurn = SQL<Move>(
    """
    UPDATE family SET next_turn_at = 0 WHERE id = \(\.new) \
    AND (SELECT next_turn_at FROM family WHERE id = \(\.old)) IS NOT NULL
    """
  )

  static let deleteLevels = SQL<Move>("DELETE FROM reward_level WHERE family_id = \(\.old)")
  static let deleteContracts = SQL<Move>("DELETE FROM contract WHERE family_id = \(\.old)")
  /// `moveChildren` sets the children's points, which are the sums of these entries, to 0.
  static let deleteChildrensPoints = SQL<Move>(
    "DELETE FROM point_entry WHERE family_id = \(\.old) AND \(Kind.child.isKind(of: "member_id"))"
  )
  static let deleteChildrensNotifications = SQL<Move>(
    "DELETE FROM notification WHERE recipient_id IN (SELECT id FROM child WHERE family_id = \(\.old))"
  )
  static let deleteChildrensSettings = SQL<Move>(
    "DELETE FROM notification_setting WHERE member_id IN (SELECT id FROM child WHERE family_id = \(\.old))"
  )
  static let deleteChildrensEvents = SQL<Move>(
    "DELETE FROM family_event WHERE family_id IN (SELECT id FROM child WHERE family_id = \(\.old))"
  )
  static let deleteChildrensFeeds = SQL<Move>(
    "DELETE FROM family_feed WHERE family_id IN (SELECT id FROM child WHERE family_id = \(\.old))"
  )

  /// The row of the old family stays, without the name, which is usually that of its adult.
  static let clearName = SQL<Move>("UPDATE family SET name = '\(sql: Family.formerName)' WHERE id = \(\.old)")

  static let choresOf = SQL<GlobalID>(
    "SELECT id FROM chore WHERE family_id = \(\.self) AND removed_at IS NULL\(order: "id")"
  )
  static let itemsOf = SQL<GlobalID>("SELECT id FROM item WHERE family_id = \(\.self)\(order: "id")")

  /// The number of chores, finished chores, reminders, items and point entries that a person can bring. They move in
  /// one write, in which a chore takes 0.02 to 0.1 ms.
  static let maximumRows: Int64 = 10_000
  typealias Portion = (family: GlobalID, limit: Int64)
  static let someChores = SQL<Portion>("SELECT id FROM chore WHERE family_id = \(\.family) LIMIT \(\.limit)")
  static let someFinishedChores = SQL<Portion>(
    "SELECT id FROM finished_chore WHERE family_id = \(\.family) LIMIT \(\.limit)"
  )
  static let someReminders = SQL<Portion>("SELECT id FROM reminder WHERE family_id = \(\.family) LIMIT \(\.limit)")
  static let someItems = SQL<Portion>("SELECT id FROM item WHERE family_id = \(\.family) LIMIT \(\.limit)")
  static let somePointEntries = SQL<Portion>(
    "SELECT id FROM point_entry WHERE family_id = \(\.family) LIMIT \(\.limit)"
  )

  /// Throws if the family `old` has too much to move.
  static func requireFewRows(of old: GlobalID, field: [String], from reader: Reader) throws {
    var rest = maximumRows
    for statement in [someChores, someFinishedChores, someReminders, someItems, somePointEntries] {
      rest -= Int64(try reader.keys(of: statement, (family: old, limit: rest + 1)).count)
      guard rest >= 0 else {
        let message: UserError.Message =
          """
          A person can bring at most \(maximum: maximumRows) chores, reminders, points and items into a family. This one \
          has more: they can join with another account.
          """
        throw RejectedInput(field, code: .notAllowed, reason: .tooManyChores, message: message)
      }
    }
  }

  /// Moves what the family `old` has to that of the write. The merge cannot violate a unique constraint, because keys
  /// are unique across families.
  static func move(_ old: GlobalID, services: Services, in write: FamilyWrite) throws {
    let (transaction, oldWrite) = (write.transaction, write.inFamily(old))
    // They do not come along: the other family's parents have not invited them.
    for person in try write.reader.keys(of: AccountReturn.returnable, old) {
      _ = try FamilyDeparture.depart(person, unassignments: services.unassignments, in: oldWrite)
    }
    if let timeZone = try FamilyTimeZone.name(of: write.family, from: write.reader) {
      try ReminderZone.change(to: timeZone, in: oldWrite)
    }
    // Their quiet hours may be at another time now.
    let members = try write.reader.keys(of: UpdateFamily.members, old)
    try PushQueue.release(of: members, in: write.dated)
    let chores = try write.reader.keys(of: choresOf, old)
    let items = try write.reader.keys(of: itemsOf, old)
    let due = try ReminderDue.all(of: old, from: write.reader)
    let parents = try FamilyMember.parents(of: write.family, from: write.reader)
    try FeedCounter.raise(write.family, above: old, in: transaction)
    // Rows refer to other rows of their family, so foreign keys are consistent only after all tables have moved.
    try transaction.deferForeignKeys()
    for statement in [
      deleteLevels, deleteContracts, deleteChildrensPoints, deleteChildrensNotifications, deleteChildrensSettings,
      deleteChildrensEvents, deleteChildrensFeeds, movePeople, moveFormerParents, moveChildren, moveChores,
      moveAssignments, moveDepartedMembers, moveReminders, moveFinishedChores, movePointEntries, moveItems, moveTurn,
      clearName,
    ] {
      try transaction.run(statement, (old: old, new: write.family))
    }
    for chore in chores { write.record(.choreChanged, subject: chore) }
    for item in items { write.record(.itemChanged, subject: item) }
    // Their positions are those of the old family.
    for reminder in due { ReminderDue.enter(reminder, for: parents, in: write) }
    try PeriodTurn.end(in: oldWrite)
    // The old family has no parents any more, so it cannot be joined.
    try FamilyInvitation.endAll(by: nil, in: oldWrite)
    transaction.afterCommit { services.turns.schedule(at: 0) }
  }
}
