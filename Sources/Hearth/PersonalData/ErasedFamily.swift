import Storage

/// Erases a family with its last adult: its children and everything it has. The row of the family stays without a name,
/// for the rows of its former members.
enum ErasedFamily {
  static let clear = SQL<GlobalID>(
    "UPDATE family SET name = 'Former family', time_zone = 'UTC', next_turn_at = NULL WHERE id = \(\.self)"
  )
  static let children = SQL<GlobalID>("SELECT id FROM child WHERE family_id = \(\.self)")
  /// With their assignments and reminders.
  static let deleteChores = SQL<GlobalID>("DELETE FROM chore WHERE family_id = \(\.self)")
  static let deleteFinishedChores = SQL<GlobalID>("DELETE FROM finished_chore WHERE family_id = \(\.self)")
  static let deleteChildren = SQL<GlobalID>("DELETE FROM child WHERE family_id = \(\.self)")
  static let deleteItems = SQL<GlobalID>("DELETE FROM item WHERE family_id = \(\.self)")
  static let deleteFormerParents = SQL<GlobalID>("DELETE FROM former_parent WHERE family_id = \(\.self)")
  static let deletePoints = SQL<GlobalID>("DELETE FROM point_entry WHERE family_id = \(\.self)")
  static let deleteBalances = SQL<GlobalID>("DELETE FROM point_balance WHERE family_id = \(\.self)")
  static let deleteEvents = SQL<GlobalID>("DELETE FROM family_event WHERE family_id = \(\.self)")
  static let deleteFeed = SQL<GlobalID>("DELETE FROM family_feed WHERE family_id = \(\.self)")

  static func erase(
    _ family: GlobalID,
    at now: Int64,
    services: FeatureServices,
    in transaction: WriteTransaction
  ) throws {
    try Sessions.endAll(ofFamily: family, services: services, in: transaction)
    try FamilyInvitationRow.deleteAll(of: family, in: transaction)
    for child in try transaction.reader.keys(of: children, family) {
      try ErasedChild.clear(child, of: family, at: now, services: services, in: transaction)
    }
    for statement in [
      deleteChores, deleteFinishedChores, deleteChildren, deleteItems, deletePoints, deleteBalances,
      deleteFormerParents,
      deleteEvents, deleteFeed, clear,
    ] {
      try transaction.run(statement, family)
    }
  }
}
