import Storage

/// Inserts notifications, at the end of the write that causes them.
enum Notifications {
  /// Notifies `recipient`, an adult or a child, of what `actor` did.
  static func notify(
    _ recipient: GlobalID,
    kind: Kind,
    about subject: GlobalID? = nil,
    by actor: GlobalID?,
    in write: DatedWrite
  ) throws {
    try notify([recipient], kind: kind, about: subject, by: actor, in: write)
  }

  /// Notifies several members. One statement reads the devices of all of them, and one their families if needed.
  ///
  /// - Parameter family: that of all recipients. Nil if the caller does not know it, or they are of several families.
  static func notify(
    _ recipients: [GlobalID],
    of family: GlobalID? = nil,
    kind: Kind,
    about subject: GlobalID? = nil,
    by actor: GlobalID?,
    in write: DatedWrite
  ) throws {
    let members =
      try family.map { family in recipients.map { (key: $0, family: family) } }
      ?? MemberFamilies.read(of: recipients, from: write.reader)
    let keys = try KeySequence.next(members.count, of: kind, in: write.transaction)
    let devices = try MemberDevices(of: Set(members.map(\.key)), at: write.now, from: write.reader)
    for (member, key) in zip(members, keys) {
      let notification = NotificationRow(
        recipient: member.key,
        id: key,
        actor: actor,
        subject: subject,
        createdAt: write.now
      )
      try insert(notification, of: member.family, to: devices, in: write)
    }
  }

  /// Inserts a notification of a member of `family`, and queues a push of it to the member's devices.
  static func insert(
    _ notification: NotificationRow,
    of family: GlobalID,
    to devices: MemberDevices,
    in write: DatedWrite
  ) throws {
    let recipient = notification.recipient
    FeedEntries.append(to: family, in: write.transaction) { place, transaction in
      try transaction.run(NotificationRow.insert, (row: notification, place: place))
    } publish: { position, events in
      events.append(
        NotificationReceived.publication(of: notification.id, for: recipient, in: family, position: position)
      )
    }
    try devices.push(notification.id, to: recipient, in: write)
  }
}

extension FamilyWrite {
  /// Notifies members of the family of what `actor` did.
  func notify(_ members: [GlobalID], kind: Kind, about subject: GlobalID? = nil, by actor: GlobalID?) throws {
    try Notifications.notify(members, of: family, kind: kind, about: subject, by: actor, in: dated)
  }
}
