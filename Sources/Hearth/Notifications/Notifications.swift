import Storage

/// Inserts notifications, at the end of the write that causes them.
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

  static let family = SQL<GlobalID>(
    "SELECT family_id FROM person WHERE id = \(\.self) UNION ALL SELECT family_id FROM child WHERE id = \(\.self)"
  )

  static func parents(of family: GlobalID, in transaction: WriteTransaction) throws -> [GlobalID] {
    try transaction.reader.keys(of: parents, family)
  }

  /// Notifies `recipient`, an adult or a child, of what `actor` did.
  ///
  /// - Parameter family: the recipient's. Nil if the caller does not know it.
  static func notify(
    _ recipient: GlobalID,
    of family: GlobalID? = nil,
    kind: Kind,
    about subject: GlobalID? = nil,
    by actor: GlobalID?,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws {
    guard let family = try family ?? transaction.reader.key(of: self.family, recipient) else { return }
    let notification = NotificationRow(
      recipient: recipient,
      id: try KeySequence.next(kind, in: transaction),
      actor: actor,
      subject: subject,
      createdAt: Timestamp(now)
    )
    FeedEntries.append(to: family, in: transaction) { place, transaction in
      try transaction.run(NotificationRow.insert, (row: notification, place: place))
    } publish: { position, events in
      events.append(
        NotificationReceived.publication(of: notification.id, for: recipient, in: family, position: position)
      )
    }
    try PushQueue.append(notification.id, to: recipient, at: now, in: transaction)
  }
}
