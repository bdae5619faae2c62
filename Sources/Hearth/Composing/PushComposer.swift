import Storage

/// Composes what is sent to devices: reads the current data of a queued push, and what its recipient wants to receive.
struct PushComposer: Sendable {
  static let familyOfPerson = SQL<GlobalID>(
    """
    SELECT p.family_id, f.time_zone, a.locale FROM person AS p \
    \(join: .asWritten) family AS f ON f.id = p.family_id \(join: .asWritten) account AS a ON a.id = p.id \
    WHERE p.id = \(\.self) AND p.deactivated_at IS NULL
    """
  )
  /// The language of a child that has chosen none is that of the first of its parents who has.
  static let familyOfChild = SQL<GlobalID>(
    """
    SELECT c.family_id, f.time_zone, COALESCE(c.locale, (SELECT a.locale FROM person AS p \
    \(join: .asWritten) account AS a ON a.id = p.id WHERE p.family_id = c.family_id \
    AND p.deactivated_at IS NULL AND a.locale IS NOT NULL ORDER BY p.id LIMIT 1)) \
    FROM child AS c \(index: "child_by_id") \
    \(join: .asWritten) family AS f ON f.id = c.family_id WHERE c.id = \(\.self) AND c.removed_at IS NULL
    """
  )
  typealias NotificationKey = (recipient: GlobalID, family: GlobalID, notification: GlobalID)

  static let notification = SQL<NotificationKey>(
    """
    SELECT n.created_at, n.subject_id = n.recipient_id, n.subject_id, n.read_at, \(names) FROM notification AS n \
    WHERE n.recipient_id = \(\.recipient) AND n.id = \(\.notification)
    """
  )
  private static var names: SQLFragment<NotificationKey> {
    SQLFragment(joining: NotificationColumn.names.map { $0.name(family: \.family, recipient: "\(\.recipient)") })
  }
  /// A reminder that is due, of a chore that is assigned to the recipient.
  static let reminder = SQL<(family: GlobalID, member: GlobalID, reminder: GlobalID)>(
    """
    SELECT r.delivered_at, c.name FROM reminder AS r \(join: .asWritten) chore AS c \
    ON c.family_id = r.family_id AND c.id = r.chore_id \
    WHERE r.family_id = \(\.family) AND r.id = \(\.reminder) AND r.status = \(ReminderStatus.due) \
    AND EXISTS (SELECT 1 FROM assignment AS a \
    WHERE a.family_id = \(\.family) AND a.chore_id = r.chore_id AND a.member_id = \(\.member))
    """
  )
  static let dueSince = SQL<(family: GlobalID, reminder: GlobalID)>(
    """
    SELECT delivered_at FROM reminder \
    WHERE family_id = \(\.family) AND id = \(\.reminder) AND status = \(ReminderStatus.due)
    """
  )

  let cipher: IdentifierCipher
  /// The language of members who have chosen none.
  let defaultLanguage: MailLanguage

  func compose(_ push: QueuedPush, at now: Int64, from reader: Reader) throws -> PushDecision {
    let statement = push.recipient.kind == .child ? Self.familyOfChild : Self.familyOfPerson
    let home = try reader.first(of: statement, push.recipient) { row in
      (
        family: row.key(0), timeZone: row.string(1),
        language: row.optionalString(2).flatMap { MailLanguage(locale: $0) } ?? defaultLanguage
      )
    }
    guard let home, let kind = push.subject.kind, let notificationKind = NotificationKind(kind),
      let found = try text(of: push, kind: kind, in: home.family, language: home.language, from: reader)
    else { return .drop }
    let settings = try NotificationSettings.read(of: push.recipient, from: reader)
    let isMuted = settings.mutes(notificationKind)
    let quietUntil = settings.quietUntil(notificationKind, at: now, WallClock(home.timeZone))
    if push.channel != .webhook {
      if isMuted { return .drop }
      if let quietUntil { return .hold(until: quietUntil) }
    }
    let (subject, recipient) = (cipher.text(of: push.subject), cipher.text(of: push.recipient))
    return .send(
      PushMessage(
        id: "\(subject)-\(recipient)-\(found.createdAt)",
        subject: subject,
        type: kind.typeName,
        text: found.text,
        createdAt: found.createdAt,
        recipient: recipient,
        isMuted: isMuted,
        quietUntil: quietUntil
      )
    )
  }

  /// Nil when the recipient has read the notification, unless it is for the webhook, which gets all. Also nil when the
  /// reminder is not due any more, or due again after it was snoozed: then it has a newer push, unless an operator has
  /// this one sent again.
  private func text(
    of push: QueuedPush,
    kind: Kind,
    in family: GlobalID,
    language: MailLanguage,
    from reader: Reader
  ) throws -> (text: String, createdAt: Int64)? {
    guard kind != .reminder else {
      let key = (family: family, member: push.recipient, reminder: push.subject)
      let found = try reader.first(of: Self.reminder, key) { row in
        (text: NotificationText.reminder(ofChore: row.string(1), in: language), createdAt: row.int64(0))
      }
      guard let found, found.createdAt <= push.createdAt else { return nil }
      return found
    }
    let key = (recipient: push.recipient, family: family, notification: push.subject)
    let found = try reader.first(of: Self.notification, key) { row in
      var names = NotificationText()
      names.isOfRecipient = row.int64(1) == 1
      for (index, column) in NotificationColumn.names.enumerated() { names[column] = row.optionalString(index + 4) }
      return (
        text: names.message(of: kind, in: language), createdAt: row.int64(0),
        subject: row.optionalKey(2), isRead: row.optionalInt64(3) != nil
      )
    }
    guard let found, push.channel == .webhook || !found.isRead else { return nil }
    if kind == .reminderNotification {
      guard let reminder = found.subject else { return nil }
      let dueSince = try reader.number(of: Self.dueSince, (family: family, reminder: reminder))
      guard let dueSince, dueSince <= push.createdAt else { return nil }
    }
    return (text: found.text, createdAt: found.createdAt)
  }
}
