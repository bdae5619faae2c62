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
    .rewardRedeemedNotification, .rewardHandedOutNotification, .groupAdminNotification,
  ]

  static let family = SQL<GlobalID>(
    "SELECT family_id FROM person WHERE id = \(\.self) UNION ALL SELECT family_id FROM child WHERE id = \(\.self)"
  )

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
    try notify([recipient], of: family, kind: kind, about: subject, by: actor, at: now, in: transaction)
  }

  /// Notifies several members. One statement reads the devices of all of them.
  ///
  /// - Parameter family: that of all recipients. Nil if the caller does not know it, or they are of several families.
  static func notify(
    _ recipients: [GlobalID],
    of family: GlobalID? = nil,
    kind: Kind,
    about subject: GlobalID? = nil,
    by actor: GlobalID?,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws {
    var members: [(key: GlobalID, family: GlobalID)] = []
    for recipient in recipients {
      guard let family = try family ?? transaction.reader.key(of: self.family, recipient) else { continue }
      members.append((key: recipient, family: family))
    }
    let keys = try KeySequence.next(members.count, of: kind, in: transaction)
    let devices = try MemberDevices(of: Set(members.map(\.key)), at: Timestamp(now), in: transaction)
    for (member, key) in zip(members, keys) {
      let notification = NotificationRow(
        recipient: member.key,
        id: key,
        actor: actor,
        subject: subject,
        createdAt: Timestamp(now)
      )
      try insert(notification, of: member.family, to: devices, in: transaction)
    }
  }

  /// Inserts a notification of a member of `family`, and queues a push of it to the member's devices.
  static func insert(
    _ notification: NotificationRow,
    of family: GlobalID,
    to devices: MemberDevices,
    in transaction: WriteTransaction
  ) throws {
    let recipient = notification.recipient
    FeedEntries.append(to: family, in: transaction) { place, transaction in
      try transaction.run(NotificationRow.insert, (row: notification, place: place))
    } publish: { position, events in
      events.append(
        NotificationReceived.publication(of: notification.id, for: recipient, in: family, position: position)
      )
    }
    try devices.push(notification.id, to: recipient, at: notification.createdAt, in: transaction)
  }
}
