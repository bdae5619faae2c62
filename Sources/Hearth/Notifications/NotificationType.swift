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
    case .actorName: .text("(SELECT p.name FROM person AS p WHERE p.id = n.actor_id AND p.deactivated_at IS NULL)")
    case .groupName: .text("(SELECT g.name FROM person_group AS g WHERE g.id = n.subject_id)")
    case .subjectName:
      .text("(SELECT p.name FROM person AS p WHERE p.id = n.subject_id AND p.deactivated_at IS NULL)")
    case .isOfViewer: .integer("n.subject_id = n.recipient_id")
    case .joinRequestGroupName:
      .text(
        """
        (SELECT g.name FROM group_join_request AS j \(join: .asWritten) person_group AS g ON g.id = j.group_id \
        WHERE j.id = n.subject_id AND \(Visibility.isAdmin("\(\.viewer)", of: "j.group_id")))
        """
      )
    case .subjectChoreName:
      .text("(SELECT h.name FROM chore AS h WHERE h.family_id = \(\.family) AND h.id = n.subject_id)")
    case .childName:
      .text("(SELECT c.name FROM child AS c WHERE c.family_id = \(\.family) AND c.id = n.actor_id)")
    case .rewardName:
      .text("(SELECT e.reason FROM point_entry AS e WHERE e.family_id = \(\.family) AND e.id = n.subject_id)")
    case .choreName:
      .text(
        """
        (SELECT h.name FROM reminder AS r \(join: .asWritten) chore AS h \
        ON h.family_id = r.family_id AND h.id = r.chore_id \
        WHERE r.family_id = \(\.family) AND r.id = n.subject_id)
        """
      )
    }
  }
}

/// Notifications. The schema has a type for each kind; all are stored in one table.
enum NotificationType {
  static let stored = StoredType(key: "n.id", NotificationColumn.self)
  static let byKey = Loader.byKey(stored, from: "notification AS n ON n.recipient_id = \(\.viewer) AND n.id = k.value")

  static let contactRequest = binding("asks to become your contact.", ["request": .reference(Column.subject)])
  static let contactAccepted = binding("is now in your address book.", ["person": .reference(Column.actor)])
  static let contactRemoved = binding("is no longer in your address book.", ["person": .reference(Column.actor)])

  static let groupInvitation = binding(
    message: .computed(needs: [Column.actorName, .groupName]) { notification, _ in
      let group = notification.string(Column.groupName.rawValue).map { "the group \($0)" } ?? "a group that was deleted"
      return .string("\(notification.string(Column.actorName.rawValue) ?? "Somebody") invites you to \(group).")
    },
    ["group": .reference(Column.subject), "invitedBy": .reference(Column.actor)]
  )

  static let groupJoinRequest = binding(
    message: .computed(needs: [Column.actorName, .joinRequestGroupName]) { notification, _ in
      let group =
        notification.string(Column.joinRequestGroupName.rawValue).map { "the group \($0)" } ?? "one of your groups"
      return .string("\(notification.string(Column.actorName.rawValue) ?? "Somebody") asks to join \(group).")
    },
    ["request": .reference(Column.subject), "person": .reference(Column.actor)]
  )
  static let groupJoinAccepted = binding(
    message: group { "You are now a member of \($0)." },
    ["group": .reference(Column.subject)]
  )
  /// Does not name the admin.
  static let groupMemberRemoved = binding(
    message: group { "You were removed from \($0)." },
    ["group": .reference(Column.subject)]
  )

  static let familyInvitationClaimed = binding(
    "has an invitation to your family and waits for your confirmation.",
    ["invitation": .reference(Column.subject), "person": .reference(Column.actor)]
  )
  static let familyInvitationRejected = binding(
    message: .computed(needs: [Column.id]) { _, _ in .string("The family has not confirmed you as a parent.") },
    [:]
  )
  static let parentJoined = binding(
    message: parent {
      $0.map { "\($0) is now a parent of your family." } ?? "You are now a parent of your new family."
    },
    ["parent": .reference(Column.subject)]
  )
  static let parentLeft = binding(
    message: parent { "\($0 ?? "You") left your family." },
    ["parent": .reference(Column.subject)]
  )
  static let parentRemoved = binding(
    message: parent {
      $0.map { "\($0) was removed from your family." }
        ?? "You were removed from your family, and have a new family of your own."
    },
    ["parent": .reference(Column.subject)]
  )
  static let parentRemovalRequested = binding(
    message: .computed(needs: [Column.actorName, .subjectName, .isOfViewer]) { notification, _ in
      let parent = notification.int(Column.isOfViewer.rawValue) == 1 ? "you" : subjectName(notification)
      return .string(
        "\(notification.string(Column.actorName.rawValue) ?? "Somebody") asks to remove \(parent) from your family."
      )
    },
    ["parent": .reference(Column.subject), "requestedBy": .reference(Column.actor)]
  )
  static let parentRemovalEnded = binding(
    message: parent { "The request to remove \($0 ?? "you") from your family has ended." },
    ["parent": .reference(Column.subject), "endedBy": .reference(Column.actor)]
  )

  static let reminder = binding(
    message: .computed(needs: [Column.choreName]) { notification, _ in
      .string(notification.string(Column.choreName.rawValue).map { "It is time: \($0)." } ?? "It was time for a chore.")
    },
    ["reminder": .reference(Column.subject)]
  )

  static let choreFinished = binding(
    message: .computed(needs: [Column.childName, .subjectChoreName]) { notification, _ in
      let child = notification.string(Column.childName.rawValue) ?? "A child"
      let chore = notification.string(Column.subjectChoreName.rawValue) ?? "a chore"
      return .string("\(child) has finished a chore: \(chore).")
    },
    ["chore": .reference(Column.subject), "finishedBy": .reference(Column.actor)]
  )

  static let choreApproved = binding(
    message: chore("has approved a chore"),
    ["chore": .reference(Column.subject), "approvedBy": .reference(Column.actor)]
  )
  static let choreReturned = binding(
    message: chore("has sent a chore back"),
    ["chore": .reference(Column.subject), "returnedBy": .reference(Column.actor)]
  )
  static let rewardRedeemed = binding(
    message: reward("has redeemed a reward"),
    ["entry": .reference(Column.subject), "redeemedBy": .reference(Column.actor)]
  )
  static let rewardHandedOut = binding(
    message: reward("has handed out a reward"),
    ["entry": .reference(Column.subject), "handedOutBy": .reference(Column.actor)]
  )

  private typealias Column = NotificationColumn

  private static func subjectName(_ notification: ObjectView) -> String {
    notification.string(Column.subjectName.rawValue) ?? "somebody"
  }

  /// A message about a group. `sentence` receives the name of the group.
  private static func group(_ sentence: @escaping @Sendable (_ group: String) -> String) -> FieldBinding {
    .computed(needs: [Column.groupName]) { notification, _ in
      .string(
        sentence(notification.string(Column.groupName.rawValue).map { "the group \($0)" } ?? "a group that was deleted")
      )
    }
  }

  /// A message about what an adult did with a chore.
  private static func chore(_ predicate: String) -> FieldBinding {
    .computed(needs: [Column.actorName, .subjectChoreName]) { notification, _ in
      let name = notification.string(Column.actorName.rawValue) ?? "Somebody"
      let chore = notification.string(Column.subjectChoreName.rawValue).map { ": \($0)" } ?? ""
      return .string("\(name) \(predicate)\(chore).")
    }
  }

  /// A message about what an adult or a child did with a reward.
  private static func reward(_ predicate: String) -> FieldBinding {
    .computed(needs: [Column.actorName, .childName, .rewardName]) { notification, _ in
      let name = notification.string(Column.childName.rawValue) ?? notification.string(Column.actorName.rawValue)
      let reward = notification.string(Column.rewardName.rawValue).map { ": \($0)" } ?? ""
      return .string("\(name ?? "Somebody") \(predicate)\(reward).")
    }
  }

  /// A message about a parent. `sentence` receives their name, or nil if the parent is the recipient.
  private static func parent(_ sentence: @escaping @Sendable (_ name: String?) -> String) -> FieldBinding {
    .computed(needs: [Column.subjectName, .isOfViewer]) { notification, _ in
      let name = notification.string(Column.subjectName.rawValue) ?? "Somebody"
      return .string(sentence(notification.int(Column.isOfViewer.rawValue) == 1 ? nil : name))
    }
  }

  /// The message is a sentence whose subject is the actor.
  private static func binding(_ predicate: String, _ more: [String: FieldBinding]) -> ObjectBinding {
    binding(
      message: .computed(needs: [Column.actorName]) { notification, _ in
        .string("\(notification.string(Column.actorName.rawValue) ?? "Somebody") \(predicate)")
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
