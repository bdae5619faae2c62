import Storage

/// What an export has about an adult or a child as a member of a family.
enum ExportOfMember {
  static let chores = SQL<MemberKey>(
    """
    SELECT c.id, c.name, c.notes, c.priority, c.due_at, c.frequency, c.status, c.period, c.image, \
    c.assignees, c.created_by, c.created_at, c.updated_at, c.removed_at, c.finished_by, c.finished_at, \
    c.approved_by, c.approved_at, c.approved_points, c.returned_by, c.return_comment FROM chore AS c WHERE \
    c.family_id = \(\.family) AND (c.created_by = \(\.member) OR c.finished_by = \(\.member) OR \
    c.approved_by = \(\.member) OR c.returned_by = \(\.member) OR EXISTS (SELECT 1 FROM assignment AS x \
    WHERE x.family_id = c.family_id AND x.chore_id = c.id AND x.member_id = \(\.member)))
    """
  )

  static let items = SQL<MemberKey>(
    """
    SELECT id, name, photo, created_at FROM item WHERE family_id = \(\.family) AND created_by = \(\.member)
    """
  )

  static let reminders = SQL<MemberKey>(
    """
    SELECT id, chore_id, remind_at, status, delivered_at FROM reminder WHERE family_id = \(\.family) AND \
    answered_by = \(\.member)
    """
  )

  static let pointEntries = SQL<MemberKey>(
    """
    SELECT id, points, kind, author_id, reason, chore_id, contract_id, level, corrected_id, created_at \
    FROM point_entry WHERE family_id = \(\.family) AND member_id = \(\.member)
    """
  )

  /// Whether the type of the notification `n` has a field with the member who caused it. The other types hide which
  /// member of a group or of a family has removed, rejected or accepted somebody.
  private static let showsActor: SQLFragment<MemberKey> = """
    n.id & \(sql: String(GlobalID.kindMask)) NOT IN (\(Kind.groupJoinAcceptedNotification), \
    \(Kind.groupMemberRemovedNotification), \(Kind.familyInvitationRejectedNotification), \
    \(Kind.parentRemovedNotification))
    """

  static let notifications = SQL<MemberKey>(
    """
    SELECT n.id, n.id, CASE WHEN \(showsActor) THEN n.actor_id END, \
    CASE WHEN \(showsActor) AND (p.deactivated_at IS NULL OR p.family_id = \(\.family)) THEN p.name END, \
    n.subject_id, n.created_at, n.read_at FROM notification AS n LEFT JOIN person AS p ON p.id = n.actor_id \
    WHERE n.recipient_id = \(\.member)
    """
  )

  static let sessions = SQL<MemberKey>(
    """
    SELECT id, device, created_at, last_used_at, expires_at, sign_in_method FROM session WHERE member_id = \
    \(\.member)
    """
  )

  static let devices = SQL<MemberKey>(
    """
    SELECT id, kind, address, name, session_id, created_at FROM device WHERE member_id = \(\.member)
    """
  )

  static let notificationSettings = SQL<MemberKey>(
    """
    SELECT muted, quiet_from, quiet_until, quiet_reminders FROM notification_setting WHERE member_id = \(\.member)
    """
  )

  static let sections: [ExportSection] = [
    ExportSection(
      "sessions",
      statement: sessions,
      columns: [
        "id": .id,
        "device": .text,
        "createdAt": .moment,
        "lastUsedAt": .moment,
        "expiresAt": .moment,
        "signInMethod": .choice(of: SignInMethod.self),
      ]
    ),
    ExportSection(
      "devices",
      statement: devices,
      columns: [
        "id": .id,
        "kind": .choice(of: DeviceKind.self),
        "address": .text,
        "name": .text,
        "sessionId": .id,
        "createdAt": .moment,
      ]
    ),
    ExportSection(
      "notificationSettings",
      statement: notificationSettings,
      columns: [
        "muted": .bits(of: NotificationKind.self),
        "quietFromMinute": .number,
        "quietUntilMinute": .number,
        "quietsReminders": .boolean,
      ]
    ),
    ExportSection(
      "chores",
      statement: chores,
      columns: [
        "id": .id,
        "name": .text,
        "notes": .text,
        "priority": .number,
        "dueAt": .moment,
        "frequency": .choice(of: Frequency.self),
        "status": .choice(of: ChoreStatus.self),
        "period": .text,
        "image": .picture,
        "assigneeIds": .ids,
        "createdById": .id,
        "createdAt": .moment,
        "updatedAt": .moment,
        "removedAt": .moment,
        "finishedById": .id,
        "finishedAt": .moment,
        "approvedById": .id,
        "approvedAt": .moment,
        "approvedPoints": .number,
        "returnedById": .id,
        "returnComment": .text,
      ]
    ),
    ExportSection(
      "items",
      statement: items,
      columns: [
        "id": .id,
        "name": .text,
        "photo": .picture,
        "createdAt": .moment,
      ]
    ),
    ExportSection(
      "reminders",
      statement: reminders,
      columns: [
        "id": .id,
        "choreId": .id,
        "remindAt": .moment,
        "status": .choice(of: ReminderStatus.self),
        "deliveredAt": .moment,
      ]
    ),
    ExportSection(
      "pointEntries",
      statement: pointEntries,
      columns: [
        "id": .id,
        "points": .number,
        "kind": .choice(of: PointEntryKind.self),
        "authorId": .id,
        "reason": .text,
        "choreId": .id,
        "contractId": .id,
        "level": .number,
        "correctedId": .id,
        "createdAt": .moment,
      ]
    ),
    ExportSection(
      "notifications",
      statement: notifications,
      columns: [
        "id": .id,
        "type": .type,
        "actorId": .id,
        "actorName": .text,
        "subjectId": .id,
        "createdAt": .moment,
        "readAt": .moment,
      ]
    ),
  ]
}
