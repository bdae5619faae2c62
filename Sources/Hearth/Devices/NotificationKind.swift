import Storage

/// The kinds of notifications in the schema. A stored value is a bit for each case, so their order never changes.
enum NotificationKind: String, StoredEnumeration {
  case contactRequest = "CONTACT_REQUEST"
  case contactAccepted = "CONTACT_ACCEPTED"
  case contactRemoved = "CONTACT_REMOVED"
  case groupInvitation = "GROUP_INVITATION"
  case groupJoinRequest = "GROUP_JOIN_REQUEST"
  case groupJoinAccepted = "GROUP_JOIN_ACCEPTED"
  case groupMemberRemoved = "GROUP_MEMBER_REMOVED"
  case familyInvitationClaimed = "FAMILY_INVITATION_CLAIMED"
  case familyInvitationRejected = "FAMILY_INVITATION_REJECTED"
  case parentJoined = "PARENT_JOINED"
  case parentLeft = "PARENT_LEFT"
  case parentRemoved = "PARENT_REMOVED"
  case parentRemovalRequested = "PARENT_REMOVAL_REQUESTED"
  case parentRemovalEnded = "PARENT_REMOVAL_ENDED"
  case reminder = "REMINDER"
  case choreFinished = "CHORE_FINISHED"
  case choreApproved = "CHORE_APPROVED"
  case choreReturned = "CHORE_RETURNED"
  case rewardRedeemed = "REWARD_REDEEMED"
  case rewardHandedOut = "REWARD_HANDED_OUT"
  case groupAdmin = "GROUP_ADMIN"

  /// The kind of the keys of these notifications.
  var keyKind: Kind {
    switch self {
    case .contactRequest: .contactRequestNotification
    case .contactAccepted: .contactAcceptedNotification
    case .contactRemoved: .contactRemovedNotification
    case .groupInvitation: .groupInvitationNotification
    case .groupJoinRequest: .groupJoinRequestNotification
    case .groupJoinAccepted: .groupJoinAcceptedNotification
    case .groupMemberRemoved: .groupMemberRemovedNotification
    case .familyInvitationClaimed: .familyInvitationClaimedNotification
    case .familyInvitationRejected: .familyInvitationRejectedNotification
    case .parentJoined: .parentJoinedNotification
    case .parentLeft: .parentLeftNotification
    case .parentRemoved: .parentRemovedNotification
    case .parentRemovalRequested: .parentRemovalRequestedNotification
    case .parentRemovalEnded: .parentRemovalEndedNotification
    case .reminder: .reminderNotification
    case .choreFinished: .choreFinishedNotification
    case .choreApproved: .choreApprovedNotification
    case .choreReturned: .choreReturnedNotification
    case .rewardRedeemed: .rewardRedeemedNotification
    case .rewardHandedOut: .rewardHandedOutNotification
    case .groupAdmin: .groupAdminNotification
    }
  }

  /// - Parameter kind: that of a notification's key, or of a reminder's.
  init?(_ kind: Kind?) {
    guard let kind, let found = kind == .reminder ? .reminder : Self.byKeyKind[kind] else { return nil }
    self = found
  }

  private static let byKeyKind = Dictionary(uniqueKeysWithValues: allCases.map { ($0.keyKind, $0) })

  var bit: Int64 { 1 << stored }
}
