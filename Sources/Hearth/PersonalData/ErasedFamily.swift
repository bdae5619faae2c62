import Storage

/// Erases a family with its last adult: its children and everything it has. The row of the family stays without a name,
/// for the rows of its former members.
enum ErasedFamily {
  typealias Portion = (family: GlobalID, limit: Int64)

  /// The number of children that are erased in one write: each costs a search through the queued mails.
  static let childrenAtOnce: Int64 = 4

  static let clear = SQL<GlobalID>(
    """
    UPDATE family SET name = '\(sql: Family.formerName)', time_zone = 'UTC', next_turn_at = NULL WHERE id = \(\.self)
    """
  )
  static let children = SQL<Portion>(
    "SELECT id FROM child WHERE family_id = \(\.family) ORDER BY id LIMIT \(\.limit)"
  )
  /// With their assignments and reminders.
  static let deleteChores = SQL<Portion>(
    """
    DELETE FROM chore WHERE family_id = \(\.family) AND id IN (\
    SELECT id FROM chore WHERE family_id = \(\.family) ORDER BY id LIMIT \(\.limit))
    """
  )
  static let deleteFinishedChores = SQL<Portion>(
    """
    DELETE FROM finished_chore WHERE family_id = \(\.family) AND id IN (\
    SELECT id FROM finished_chore WHERE family_id = \(\.family) ORDER BY id LIMIT \(\.limit))
    """
  )
  static let deleteChild = SQL<ChildKey>("DELETE FROM child WHERE family_id = \(\.family) AND id = \(\.child)")
  static let deleteItems = SQL<Portion>(
    """
    DELETE FROM item WHERE family_id = \(\.family) AND id IN (\
    SELECT id FROM item WHERE family_id = \(\.family) ORDER BY id LIMIT \(\.limit))
    """
  )
  static let deleteFormerParents = SQL<GlobalID>("DELETE FROM former_parent WHERE family_id = \(\.self)")
  static let deletePoints = SQL<Portion>(
    """
    DELETE FROM point_entry WHERE family_id = \(\.family) AND id IN (\
    SELECT id FROM point_entry WHERE family_id = \(\.family) ORDER BY id LIMIT \(\.limit))
    """
  )
  static let deleteBalances = SQL<GlobalID>("DELETE FROM point_balance WHERE family_id = \(\.self)")
  /// The events of a family, or of a member's account.
  static let deleteEvents = SQL<GlobalID>("DELETE FROM family_event WHERE family_id = \(\.self)")
  static let deleteFeed = SQL<GlobalID>("DELETE FROM family_feed WHERE family_id = \(\.self)")

  /// Deletes a portion of what the family has. Returns whether that was the last, so that `finish` can follow in the
  /// same write.
  static func erasePortion(services: FeatureServices, in write: FamilyWrite) throws -> Bool {
    try Sessions.endAll(ofFamily: write.family, in: write.transaction)
    try FamilyInvitation.endAll(by: nil, in: write)
    var rest = Erasure.maximumAtOnce
    for statement in [deleteChores, deleteFinishedChores, deleteItems] {
      rest -= try delete(statement, atMost: rest, in: write)
      guard rest > 0 else { return false }
    }
    // Before the point entries: a child's balance is the sum of them.
    guard try eraseChildren(services: services, in: write) else { return false }
    return try delete(deletePoints, atMost: rest, in: write) < rest
  }

  /// Returns the number of deleted rows.
  private static func delete(_ statement: SQL<Portion>, atMost limit: Int64, in write: FamilyWrite) throws -> Int64 {
    try write.transaction.run(statement, (family: write.family, limit: limit))
    return Int64(write.transaction.changedRows)
  }

  /// Returns whether none is left.
  private static func eraseChildren(services: FeatureServices, in write: FamilyWrite) throws -> Bool {
    let found = try write.reader.keys(of: children, (family: write.family, limit: childrenAtOnce))
    for child in found {
      try ErasedResponses.deleteAll(of: child, in: write.transaction)
      guard try ErasedChild.deletePortionOfContracts(of: child, in: write) else { return false }
      try ErasedChild.clear(child, services: services, in: write)
      try write.transaction.run(deleteChild, (family: write.family, child: child))
    }
    return found.count < Int(childrenAtOnce)
  }

  /// Deletes the rest of a family, of which `erasePortion` has left little.
  static func finish(in write: FamilyWrite) throws {
    for statement in [deleteBalances, deleteFormerParents, deleteEvents, deleteFeed, clear] {
      try write.transaction.run(statement, write.family)
    }
  }
}
