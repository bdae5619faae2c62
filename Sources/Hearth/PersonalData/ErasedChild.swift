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
    UPDATE child SET name = \(\.name), \(Child.clearedProfile()), erase_at = NULL, erased_at = \(\.now) \
    WHERE family_id = \(\.family) AND id = \(\.child)
    """
  )
  static let deleteLevels = SQL<(family: GlobalID, child: GlobalID, limit: Int64)>(
    """
    DELETE FROM reward_level WHERE family_id = \(\.family) AND contract_id IN (\
    SELECT id FROM contract WHERE family_id = \(\.family) AND child_id = \(\.child) ORDER BY id LIMIT \(\.limit))
    """
  )
  static let deleteContracts = SQL<(family: GlobalID, child: GlobalID, limit: Int64)>(
    """
    DELETE FROM contract WHERE family_id = \(\.family) AND id IN (\
    SELECT id FROM contract WHERE family_id = \(\.family) AND child_id = \(\.child) ORDER BY id LIMIT \(\.limit))
    """
  )
  static let deleteTokens = SQL<GlobalID>("DELETE FROM one_time_token WHERE subject_id = \(\.self)")
  static let deleteMail = SQL<GlobalID>("DELETE FROM mail WHERE subject_id = \(\.self)")

  /// Removes a child of a restored backup, and schedules its erasure. Does nothing if it is erased already.
  static func schedule(_ child: GlobalID, unassignments: Scheduler, in write: FamilyWrite) throws {
    let isActive = try write.reader.first(of: found, (family: write.family, child: child)) { row in row.isNull(1) }
    guard let isActive else { return }
    if isActive {
      _ = try RemoveChild.remove(child, unassignments: unassignments, in: write)
    }
    try write.transaction.run(DeleteChild.schedule, (family: write.family, child: child, eraseAt: write.now))
    try ImmediateErasure.mark(child, in: write)
  }

  /// Erases a child, or a portion of what it has: the erasure is complete when the child is not due any more. Does
  /// nothing if it is erased already.
  static func erase(_ child: GlobalID, services: FeatureServices, in write: FamilyWrite) throws {
    let key: ChildKey = (family: write.family, child: child)
    let known = try write.reader.first(of: found, key) { row in (row.int64(0), row.optionalInt64(1)) }
    guard let (createdAt, removedAt) = known else { return }
    let end = removedAt ?? write.now.milliseconds
    guard try ErasedResponses.deletePortion(leftAt: end, in: write) else { return }
    let limit = Erasure.maximumAtOnce
    guard try Assignees.unassign(child, atMost: limit, in: write) < limit else { return }
    guard try deletePortionOfContracts(of: child, in: write) else { return }
    // So that what this write has added is deleted too.
    try write.transaction.writeCollected()
    try clear(child, services: services, in: write)
    try ErasedResponses.deleteAll(of: child, in: write.transaction)
    try ErasedPerson.deleteFamilyRecords(of: child, in: write)
    // It is not one of the family's deleted children any more.
    write.record(.familyChanged)
    try Erasure.finish(ErasureRecord.Entry(key: child, createdAt: createdAt), services: services, in: write.dated)
  }

  /// Deletes a portion of a child's contracts. Returns whether none is left.
  static func deletePortionOfContracts(of child: GlobalID, in write: FamilyWrite) throws -> Bool {
    for statement in [deleteLevels, deleteContracts] {
      try write.transaction.run(statement, (family: write.family, child: child, limit: Erasure.maximumAtOnce))
    }
    return write.transaction.changedRows < Int(Erasure.maximumAtOnce)
  }

  /// Deletes everything about a removed child except its finished chores, its contracts and the kept responses.
  static func clear(_ child: GlobalID, services: FeatureServices, in write: FamilyWrite) throws {
    try Sessions.endAll(of: child, in: write.transaction)
    for statement in [
      deleteTokens, deleteMail, ErasedPerson.deleteNotifications, ErasedPerson.deleteNotificationsBy,
      PushQueue.deleteOfRecipient, NotificationSettings.delete, ErasedFamily.deleteEvents, ErasedFamily.deleteFeed,
    ] {
      try write.transaction.run(statement, child)
    }
    try write.transaction.run(clear, (family: write.family, child: child, name: Erasure.name, now: write.now))
    Erasure.removeArchives(of: child, services: services, after: write.transaction)
  }
}
