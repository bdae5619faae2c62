import GraphQL
import Storage

enum NotificationColumn: Int, StoredColumns {
  case id, createdAt, readAt, actor, subject, actorName, choreName, groupName, subjectName, isOfViewer
  case joinRequestGroupName, subjectChoreName, childName, rewardName

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .createdAt: .dateTime("n.created_at")
    case .readAt: .dateTime("n.read_at")
    case .actor: .key("n.actor_id")
    case .subject: .key("n.subject_id")
    case .isOfViewer: .integer("n.subject_id = n.recipient_id")
    case .actorName, .choreName, .groupName, .subjectName, .joinRequestGroupName, .subjectChoreName, .childName,
      .rewardName:
      .text(name(family: \.family, recipient: "\(\.viewer)"))
    }
  }

  /// The columns with names, which messages contain.
  static let names: [NotificationColumn] = [
    .actorName, .choreName, .groupName, .subjectName, .joinRequestGroupName, .subjectChoreName, .childName, .rewardName,
  ]

  /// The expression of a name for a notification `n`.
  func name<Parameters>(
    family: KeyPath<Parameters, GlobalID>,
    recipient: SQLFragment<Parameters>
  ) -> SQLFragment<Parameters> {
    switch self {
    case .actorName: "(SELECT p.name FROM person AS p WHERE p.id = n.actor_id AND \(Visibility.ofName(in: family)))"
    // Only the name of a group that the recipient can see (`GroupType.byKey`).
    case .groupName:
      """
      (SELECT g.name FROM person_group AS g WHERE g.id = n.subject_id AND (g.access < \(GroupAccess.byInvitation) \
      OR EXISTS (SELECT 1 FROM group_member AS v WHERE v.group_id = g.id AND v.person_id = \(recipient))))
      """
    case .subjectName: "(SELECT p.name FROM person AS p WHERE p.id = n.subject_id AND \(Visibility.ofName(in: family)))"
    case .joinRequestGroupName:
      """
      (SELECT g.name FROM group_join_request AS j \(join: .asWritten) person_group AS g ON g.id = j.group_id \
      WHERE j.id = n.subject_id AND \(Visibility.isAdmin(recipient, of: "j.group_id")))
      """
    case .subjectChoreName:
      "(SELECT h.name FROM \(rows: .chore, of: family) AS h WHERE h.id = n.subject_id)"
    case .childName: "(SELECT c.name FROM \(rows: .child, of: family) AS c WHERE c.id = n.actor_id)"
    case .rewardName: "(SELECT e.reason FROM \(rows: .pointEntry, of: family) AS e WHERE e.id = n.subject_id)"
    case .choreName:
      """
      (SELECT h.name FROM \(rows: .reminder, of: family) AS r \(join: .asWritten) \
      \(rows: .chore, of: family) AS h ON h.id = r.chore_id WHERE r.id = n.subject_id)
      """
    case .id, .createdAt, .readAt, .actor, .subject, .isOfViewer: "NULL"
    }
  }
}

/// Notifications. The schema has a type for each kind; all are stored in one table.
enum NotificationType {
  static let stored = StoredType(key: "n.id", NotificationColumn.self)
  static let byKey = Loader.byKey(stored, from: "\(rows: .notification, of: \.viewer) AS n ON n.id = k.value")

  /// The object types of the schema, by their names.
  static let bindings = Dictionary(
    uniqueKeysWithValues: NotificationKind.allCases.map { ($0.keyKind.typeName, binding(of: $0)) }
  )

  private typealias Column = NotificationColumn

  private static func binding(of kind: NotificationKind) -> ObjectBinding {
    let (content, keyKind) = (kind.content, kind.keyKind)
    let needs = content.names + (content.addressesSubject ? [.isOfViewer] : [])
    let message = FieldBinding.computed(needs: needs) { notification, _ in
      var text = NotificationText()
      for name in content.names { text[name] = notification.string(name.rawValue) }
      text.isOfRecipient = content.addressesSubject && notification.int(Column.isOfViewer.rawValue) == 1
      return .string(text.message(of: keyKind))
    }
    return ObjectBinding(
      byKey,
      fields: [
        "id": .stored(Column.id),
        "createdAt": .stored(Column.createdAt),
        "readAt": .stored(Column.readAt),
        "message": message,
      ].merging(content.references.mapValues { .reference($0) }) { _, own in own }
    )
  }
}
