import Storage

/// Notifications as they are written: by the write that they tell of.
enum Notifications {
  /// All kinds of keys that notifications have: one for each type of the schema.
  static let kinds: [Kind] = [
    .contactRequestNotification, .contactAcceptedNotification, .contactRemovedNotification,
    .groupInvitationNotification, .reminderNotification, .groupJoinRequestNotification,
    .groupJoinAcceptedNotification, .groupMemberRemovedNotification, .familyInvitationClaimedNotification,
    .familyInvitationRejectedNotification, .parentJoinedNotification, .parentLeftNotification,
    .parentRemovedNotification, .parentRemovalRequestedNotification, .parentRemovalEndedNotification,
  ]

  static let insert = SQL(
    "INSERT INTO notification (recipient_id, id, actor_id, subject_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5)"
  )

  static let parents = SQL("SELECT id FROM person WHERE family_id = ?1 AND deactivated_at IS NULL")

  static func parents(of family: GlobalID, _ transaction: WriteTransaction) throws -> [GlobalID] {
    let finding = try transaction.statement(parents)
    try finding.bind(1, family.rawValue)
    var parents: [GlobalID] = []
    try finding.forEachRow { row in parents.append(GlobalID(rawValue: row.int64(0))) }
    return parents
  }

  /// Tells `recipient`, an adult, that `actor` did something, to `subject`.
  static func tell(
    _ recipient: GlobalID,
    _ kind: Kind,
    of subject: GlobalID? = nil,
    by actor: GlobalID?,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    let key = try KeySequence.next(kind, transaction)
    let statement = try transaction.statement(insert)
    try statement.bind(1, recipient.rawValue)
    try statement.bind(2, key.rawValue)
    try statement.bind(3, actor?.rawValue)
    try statement.bind(4, subject?.rawValue)
    try statement.bind(5, now)
    try statement.run()
    NotificationReceived.tell(key, to: recipient, transaction)
  }
}
