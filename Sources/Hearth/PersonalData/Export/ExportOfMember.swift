import Storage

/// What an export has about an adult or a child as a member of a family.
enum ExportOfMember {
  static let sessions = ExportSection(
    "sessions",
    from: "session WHERE member_id = \(\.member)",
    columns: [
      "id": ("id", .id),
      "device": ("device", .text),
      "createdAt": ("created_at", .moment),
      "lastUsedAt": ("last_used_at", .moment),
      "expiresAt": ("expires_at", .moment),
      "signInMethod": ("sign_in_method", .choice(of: SignInMethod.self)),
    ]
  )

  static let devices = ExportSection(
    "devices",
    from: "device WHERE member_id = \(\.member)",
    columns: [
      "id": ("id", .id),
      "kind": ("kind", .choice(of: DeviceKind.self)),
      "address": ("address", .text),
      "name": ("name", .text),
      "sessionId": ("session_id", .id),
      "createdAt": ("created_at", .moment),
    ]
  )

  static let notificationSettings = ExportSection(
    "notificationSettings",
    from: "notification_setting WHERE member_id = \(\.member)",
    columns: [
      "muted": ("muted", .bits(of: NotificationKind.self)),
      "quietFromMinute": ("quiet_from", .number),
      "quietUntilMinute": ("quiet_until", .number),
      "quietsReminders": ("quiet_reminders", .boolean),
    ]
  )

  static let chores = ExportSection(
    "chores",
    from: """
      chore AS c WHERE c.family_id = \(\.family) AND (c.created_by = \(\.member) OR c.finished_by = \(\.member) OR \
      c.approved_by = \(\.member) OR c.returned_by = \(\.member) OR EXISTS (SELECT 1 FROM assignment AS x \
      WHERE x.family_id = c.family_id AND x.chore_id = c.id AND x.member_id = \(\.member)))
      """,
    columns: [
      "id": ("c.id", .id),
      "name": ("c.name", .text),
      "notes": ("c.notes", .text),
      "priority": ("c.priority", .number),
      "dueAt": ("c.due_at", .moment),
      "frequency": ("c.frequency", .choice(of: Frequency.self)),
      "status": ("c.status", .choice(of: ChoreStatus.self)),
      "period": ("c.period", .text),
      "image": ("c.image", .picture),
      "assigneeIds": ("c.assignees", .ids),
      "createdById": ("c.created_by", .id),
      "createdAt": ("c.created_at", .moment),
      "updatedAt": ("c.updated_at", .moment),
      "removedAt": ("c.removed_at", .moment),
      "finishedById": ("c.finished_by", .id),
      "finishedAt": ("c.finished_at", .moment),
      "approvedById": ("c.approved_by", .id),
      "approvedAt": ("c.approved_at", .moment),
      "approvedPoints": ("c.approved_points", .number),
      "returnedById": ("c.returned_by", .id),
      "returnComment": ("c.return_comment", .text),
    ]
  )

  static let items = ExportSection(
    "items",
    from: "item WHERE family_id = \(\.family) AND created_by = \(\.member)",
    columns: [
      "id": ("id", .id),
      "name": ("name", .text),
      "photo": ("photo", .picture),
      "createdAt": ("created_at", .moment),
    ]
  )

  static let reminders = ExportSection(
    "reminders",
    from: "reminder WHERE family_id = \(\.family) AND answered_by = \(\.member)",
    columns: [
      "id": ("id", .id),
      "choreId": ("chore_id", .id),
      "remindAt": ("remind_at", .moment),
      "status": ("status", .choice(of: ReminderStatus.self)),
      "deliveredAt": ("delivered_at", .moment),
    ]
  )

  static let pointEntries = ExportSection(
    "pointEntries",
    from: "point_entry WHERE family_id = \(\.family) AND member_id = \(\.member)",
    columns: [
      "id": ("id", .id),
      "points": ("points", .number),
      "kind": ("kind", .choice(of: PointEntryKind.self)),
      "authorId": ("author_id", .id),
      "reason": ("reason", .text),
      "choreId": ("chore_id", .id),
      "contractId": ("contract_id", .id),
      "level": ("level", .number),
      "correctedId": ("corrected_id", .id),
      "createdAt": ("created_at", .moment),
    ]
  )

  /// Whether the type of the notification `n` has a field with the member who caused it. The other types hide which
  /// member of a group or of a family has removed, rejected or accepted somebody.
  private static let showsActor: SQLFragment<MemberKey> = """
    n.id & \(sql: String(GlobalID.kindMask)) NOT IN (\(Kind.groupJoinAcceptedNotification), \
    \(Kind.groupMemberRemovedNotification), \(Kind.familyInvitationRejectedNotification), \
    \(Kind.parentRemovedNotification))
    """

  static let notifications = ExportSection(
    "notifications",
    from: "notification AS n LEFT JOIN person AS p ON p.id = n.actor_id WHERE n.recipient_id = \(\.member)",
    columns: [
      "id": ("n.id", .id),
      "type": ("n.id", .type),
      "actorId": ("CASE WHEN \(showsActor) THEN n.actor_id END", .id),
      "actorName": (
        "CASE WHEN \(showsActor) AND (p.deactivated_at IS NULL OR p.family_id = \(\.family)) THEN p.name END", .text
      ),
      "subjectId": ("n.subject_id", .id),
      "createdAt": ("n.created_at", .moment),
      "readAt": ("n.read_at", .moment),
    ]
  )

  static let sections = [
    sessions, devices, notificationSettings, chores, items, reminders, pointEntries, notifications,
  ]
}
