import Storage

/// Inserts notifications, in the write that causes them.
enum Notifications {
  /// The kinds of keys that notifications have: one for each type of the schema.
  static let kinds: [Kind] = [
    .contactRequestNotification, .contactAcceptedNotification, .contactRemovedNotification,
    .groupInvitationNotification, .reminderNotification, .groupJoinRequestNotification,
    .groupJoinAcceptedNotification, .groupMemberRemovedNotification, .familyInvitationClaimedNotification,
    .familyInvitationRejectedNotification, .parentJoinedNotification, .parentLeftNotification,
    .parentRemovedNotification, .parentRemovalRequestedNotification, .parentRemovalEndedNotification,
    .choreFinishedNotification, .choreApprovedNotification, .choreReturnedNotification,
    .rewardRedeemedNotification, .rewardHandedOutNotification,
  ]

  static let parents = SQL<GlobalID>(
    "SELECT id FROM person WHERE family_id = \(\.self) AND deactivated_at IS NULL\(order: "id")"
  )

  static func parents(of family: GlobalID, in transaction: WriteTransaction) throws -> [GlobalID] {
    try transaction.reader.keys(of: parents, family)
  }

  /// Notifies `recipient`, an adult or a child, of what `actor` did.
  static func notify(
    _ recipient: GlobalID,
    kind: Kind,
    of subject: GlobalID? = nil,
    by actor: GlobalID?,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws {
    let notification = NotificationRow(
      recipient: recipient,
      id: try KeySequence.next(kind, in: transaction),
      actor: actor,
      subject: subject,
      createdAt: Timestamp(now)
    )
    try transaction.run(NotificationRow.table.insert, notification)
    NotificationReceived.publish(notification.id, to: recipient, in: transaction)
    try PushQueue.append(notification.id, to: recipient, at: now, in: transaction)
  }
}
