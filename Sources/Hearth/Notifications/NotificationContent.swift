/// What a type of notification has besides the fields of all, and what its message contains.
struct NotificationContent: Sendable {
  /// The names that the message contains.
  var names: [NotificationColumn] = [.actorName]
  /// Whether the message has another form for the person whom the notification is about.
  var addressesSubject = false
  /// The fields that refer to other objects.
  var references: [String: NotificationColumn] = [:]
}

extension NotificationKind {
  var content: NotificationContent {
    switch self {
    case .contactRequest: .init(references: ["request": .subject])
    case .contactAccepted, .contactRemoved: .init(references: ["person": .actor])
    case .groupInvitation:
      .init(names: [.actorName, .groupName], references: ["group": .subject, "invitedBy": .actor])
    case .groupJoinRequest:
      .init(names: [.actorName, .joinRequestGroupName], references: ["request": .subject, "person": .actor])
    // They do not show which admin it was.
    case .groupJoinAccepted, .groupMemberRemoved, .groupAdmin:
      .init(names: [.groupName], references: ["group": .subject])
    case .familyInvitationClaimed: .init(references: ["invitation": .subject, "person": .actor])
    // It does not show which parent it was.
    case .familyInvitationRejected: .init(names: [])
    case .parentJoined, .parentLeft, .parentRemoved:
      .init(names: [.subjectName], addressesSubject: true, references: ["parent": .subject])
    case .parentRemovalRequested:
      .init(
        names: [.actorName, .subjectName],
        addressesSubject: true,
        references: ["parent": .subject, "requestedBy": .actor]
      )
    case .parentRemovalEnded:
      .init(names: [.subjectName], addressesSubject: true, references: ["parent": .subject, "endedBy": .actor])
    case .reminder: .init(names: [.choreName], references: ["reminder": .subject])
    case .choreFinished:
      .init(names: [.childName, .subjectChoreName], references: ["chore": .subject, "finishedBy": .actor])
    case .choreApproved:
      .init(names: [.actorName, .subjectChoreName], references: ["chore": .subject, "approvedBy": .actor])
    case .choreReturned:
      .init(names: [.actorName, .subjectChoreName], references: ["chore": .subject, "returnedBy": .actor])
    case .rewardRedeemed:
      .init(names: [.actorName, .childName, .rewardName], references: ["entry": .subject, "redeemedBy": .actor])
    case .rewardHandedOut:
      .init(names: [.actorName, .childName, .rewardName], references: ["entry": .subject, "handedOutBy": .actor])
    }
  }
}
