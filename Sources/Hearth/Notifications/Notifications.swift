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

  static let parents = SQL<GlobalID>(
    "SELECT id FROM person WHERE family_id = \(\.self) AND deactivated_at IS NULL\(order: "id")"
  )
  static let parentsOfFamilies = SQL<[Int64]>(
    """
    SELECT k.slot, p.id FROM \(table: \.self) AS k \(join: .asWritten) person AS p ON p.family_id = k.value \
    WHERE p.deactivated_at IS NULL\(order: "k.slot, p.id")
    """
  )

  static let family = SQL<GlobalID>(
    "SELECT family_id FROM person WHERE id = \(\.self) UNION ALL SELECT family_id FROM child WHERE id = \(\.self)"
  )

  static func parents(of family: GlobalID, in transaction: WriteTransaction) throws -> [GlobalID] {
    try transaction.reader.keys(of: parents, family)
  }

  /// The parents of several families, by one statement.
  static func parents(of families: Set<GlobalID>, in transaction: WriteTransaction) throws -> [GlobalID: [GlobalID]] {
    let families = families.map(\.rawValue)
    var parents: [GlobalID: [GlobalID]] = [:]
    try transaction.reader.forEachRow(of: parentsOfFamilies, families) { row in
      let family = GlobalID(rawValue: families[Int(row.int64(0))])
      parents[family, default: []].append(GlobalID(rawValue: row.int64(1)))
    }
    return parents
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
    let devices = try MemberDevices(of: [recipient], at: notification.createdAt, in: transaction)
    try insert(notification, of: family, to: devices, in: transaction)
  }

  /// Notifies several members of a family, such as its parents.
  static func notify(
    _ recipients: [GlobalID],
    of family: GlobalID,
    kind: Kind,
    about subject: GlobalID? = nil,
    by actor: GlobalID?,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws {
    for recipient in recipients {
      try notify(recipient, of: family, kind: kind, about: subject, by: actor, at: now, in: transaction)
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
