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

  /// The kind of a notification's key, or of a reminder's.
  init?(_ kind: Kind?) {
    switch kind {
    case .contactRequestNotification: self = .contactRequest
    case .contactAcceptedNotification: self = .contactAccepted
    case .contactRemovedNotification: self = .contactRemoved
    case .groupInvitationNotification: self = .groupInvitation
    case .groupJoinRequestNotification: self = .groupJoinRequest
    case .groupJoinAcceptedNotification: self = .groupJoinAccepted
    case .groupMemberRemovedNotification: self = .groupMemberRemoved
    case .familyInvitationClaimedNotification: self = .familyInvitationClaimed
    case .familyInvitationRejectedNotification: self = .familyInvitationRejected
    case .parentJoinedNotification: self = .parentJoined
    case .parentLeftNotification: self = .parentLeft
    case .parentRemovedNotification: self = .parentRemoved
    case .parentRemovalRequestedNotification: self = .parentRemovalRequested
    case .parentRemovalEndedNotification: self = .parentRemovalEnded
    case .reminderNotification, .reminder: self = .reminder
    case .choreFinishedNotification: self = .choreFinished
    case .choreApprovedNotification: self = .choreApproved
    case .choreReturnedNotification: self = .choreReturned
    case .rewardRedeemedNotification: self = .rewardRedeemed
    case .rewardHandedOutNotification: self = .rewardHandedOut
    case .groupAdminNotification: self = .groupAdmin
    default: return nil
    }
  }

  var bit: Int64 { 1 << stored }
}
