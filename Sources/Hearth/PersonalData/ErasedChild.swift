import Storage

/// Erases a child.
enum ErasedChild {
  static let found = SQL<ChildKey>(
    """
    SELECT created_at, removed_at FROM child WHERE family_id = \(\.family) AND id = \(\.child) AND erased_at IS NULL
    """
  )
  /// The points stay: they are those of the finished chores, and the sum of the point entries.
  static let clear = SQL<(family: GlobalID, child: GlobalID, name: String, now: Timestamp)>(
    """
    UPDATE child SET name = \(\.name), username = '', username_key = ' ' || id, date_of_birth = NULL, \
    gender = \(Gender.unspecified), theme = \(Theme.sunrise), avatar = NULL, locale = NULL, \
    contract_id = NULL, erase_at = NULL, erased_at = \(\.now) WHERE family_id = \(\.family) AND id = \(\.child)
    """
  )
  static let deleteLevels = SQL<ChildKey>(
    """
    DELETE FROM reward_level WHERE family_id = \(\.family) AND contract_id IN (\
    SELECT id FROM contract WHERE family_id = \(\.family) AND child_id = \(\.child))
    """
  )
  static let deleteContracts = SQL<ChildKey>(
    "DELETE FROM contract WHERE family_id = \(\.family) AND child_id = \(\.child)"
  )
  static let deleteTokens = SQL<GlobalID>("DELETE FROM one_time_token WHERE subject_id = \(\.self)")
  static let deleteMail = SQL<GlobalID>("DELETE FROM mail WHERE subject_id = \(\.self)")

  /// Erases a child. Does nothing if it is erased already.
  static func erase(
    _ child: GlobalID,
    of family: GlobalID,
    at now: Int64,
    services: FeatureServices,
    in transaction: WriteTransaction
  ) throws {
    let key: ChildKey = (family: family, child: child)
    let known = try transaction.reader.first(of: found, key) { row in (createdAt: row.int64(0), isActive: row.isNull(1))
    }
    guard let known else { return }
    // A restored backup can be from before the child was deleted.
    if known.isActive { _ = try RemoveChild.remove(child, of: family, at: now, services: services, in: transaction) }
    // So that what this write has added is deleted too.
    try transaction.writeCollected()
    try clear(child, of: family, at: now, services: services, in: transaction)
    try ErasedPerson.deleteFamilyRecords(of: child, in: family, at: now, transaction: transaction)
    try Erasure.finish(
      ErasureRecord.Entry(key: child, createdAt: known.createdAt),
      at: now,
      services: services,
      in: transaction
    )
  }

  /// Deletes everything about a removed child except its finished chores.
  static func clear(
    _ child: GlobalID,
    of family: GlobalID,
    at now: Int64,
    services: FeatureServices,
    in transaction: WriteTransaction
  ) throws {
    let key: ChildKey = (family: family, child: child)
    try Sessions.endAll(of: child, services: services, in: transaction)
    for statement in [deleteLevels, deleteContracts] { try transaction.run(statement, key) }
    for statement in [
      deleteTokens, deleteMail, ErasedPerson.deleteNotifications, ErasedPerson.deleteNotificationsBy,
      PushQueue.deleteOfRecipient, NotificationSettings.delete,
    ] {
      try transaction.run(statement, child)
    }
    try transaction.run(clear, (family: family, child: child, name: Erasure.name, now: Timestamp(now)))
  }
}
