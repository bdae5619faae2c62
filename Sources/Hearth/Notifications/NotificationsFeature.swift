import GraphQL

extension Feature {
  /// Notifications of adults and children about actions of others.
  static let notifications = Feature(
    name: "notifications",
    objects: [
      "ContactRequestNotification": NotificationType.contactRequest,
      "ContactAcceptedNotification": NotificationType.contactAccepted,
      "ContactRemovedNotification": NotificationType.contactRemoved,
      "ReminderNotification": NotificationType.reminder,
      "ChoreFinishedNotification": NotificationType.choreFinished,
      "ChoreApprovedNotification": NotificationType.choreApproved,
      "ChoreReturnedNotification": NotificationType.choreReturned,
      "RewardRedeemedNotification": NotificationType.rewardRedeemed,
      "RewardHandedOutNotification": NotificationType.rewardHandedOut,
      "GroupInvitationNotification": NotificationType.groupInvitation,
      "GroupJoinRequestNotification": NotificationType.groupJoinRequest,
      "GroupJoinAcceptedNotification": NotificationType.groupJoinAccepted,
      "GroupMemberRemovedNotification": NotificationType.groupMemberRemoved,
      "GroupAdminNotification": NotificationType.groupAdmin,
      "FamilyInvitationClaimedNotification": NotificationType.familyInvitationClaimed,
      "FamilyInvitationRejectedNotification": NotificationType.familyInvitationRejected,
      "ParentJoinedNotification": NotificationType.parentJoined,
      "ParentLeftNotification": NotificationType.parentLeft,
      "ParentRemovedNotification": NotificationType.parentRemoved,
      "ParentRemovalRequestedNotification": NotificationType.parentRemovalRequested,
      "ParentRemovalEndedNotification": NotificationType.parentRemovalEnded,
      "MarkReadPayload": Payload.binding("account", "child"),
      "NotificationConnection": .connection,
      "NotificationEdge": .edge,
    ],
    mutations: [
      "markNotificationsRead": MarkNotificationsRead.mutation
    ],
    subscriptions: [
      "notificationReceived": Subscription(source: NotificationReceived.source, field: NotificationReceived.field)
    ],
    preparations: [{ $0.feed.addTopic(NotificationReceived.topicName, readBy: NotificationReceived.entries) }]
  )
}
