import GraphQL
import Storage

enum NotificationColumn: Int, StoredColumns {
  case id, createdAt, readAt, actor, subject, actorName, choreName, groupName

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .createdAt: .dateTime("n.created_at")
    case .readAt: .dateTime("n.read_at")
    case .actor: .key("n.actor_id")
    case .subject: .key("n.subject_id")
    case .actorName: .text("(SELECT p.name FROM person AS p WHERE p.id = n.actor_id AND p.deactivated_at IS NULL)")
    case .groupName: .text("(SELECT g.name FROM person_group AS g WHERE g.id = n.subject_id)")
    case .choreName:
      .text(
        """
        (SELECT h.name FROM reminder AS r CROSS JOIN chore AS h ON h.family_id = r.family_id AND h.id = r.chore_id \
        WHERE r.family_id = ?2 AND r.id = n.subject_id)
        """
      )
    }
  }
}

/// What the viewer is told of: a type of the schema for each kind of news, and one table for all.
enum NotificationType {
  static let stored = StoredType(key: "n.id", NotificationColumn.self)
  static let byKey = Loader.byKey(stored, from: "notification AS n ON n.recipient_id = ?3 AND n.id = k.value")

  static let contactRequest = binding("asks to be in contact with you.", ["request": .reference(Column.subject)])
  static let contactAccepted = binding("is in your address book now.", ["person": .reference(Column.actor)])
  static let contactRemoved = binding("is in your address book no more.", ["person": .reference(Column.actor)])

  static let groupInvitation = binding(
    message: .computed(needs: [Column.actorName, .groupName]) { news, _ in
      let group = news.string(Column.groupName.rawValue).map { "the group \($0)" } ?? "a group that is no more"
      return .string("\(news.string(Column.actorName.rawValue) ?? "Somebody") invites you to \(group).")
    },
    ["group": .reference(Column.subject), "invitedBy": .reference(Column.actor)]
  )

  static let reminder = binding(
    message: .computed(needs: [Column.choreName]) { news, _ in
      .string(news.string(Column.choreName.rawValue).map { "It is time: \($0)." } ?? "It was time for a chore.")
    },
    ["reminder": .reference(Column.subject)]
  )

  private typealias Column = NotificationColumn

  /// The message is a sentence whose subject is who did it.
  private static func binding(_ predicate: String, _ more: [String: FieldBinding]) -> ObjectBinding {
    binding(
      message: .computed(needs: [Column.actorName]) { news, _ in
        .string("\(news.string(Column.actorName.rawValue) ?? "Somebody") \(predicate)")
      },
      more
    )
  }

  private static func binding(message: FieldBinding, _ more: [String: FieldBinding]) -> ObjectBinding {
    ObjectBinding(
      byKey,
      [
        "id": .stored(Column.id),
        "createdAt": .stored(Column.createdAt),
        "readAt": .stored(Column.readAt),
        "message": message,
      ].merging(more) { _, own in own }
    )
  }
}
