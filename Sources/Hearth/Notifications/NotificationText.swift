/// The names that the message of a notification contains, and the message: a sentence for the recipient.
struct NotificationText: Sendable {
  private var names: [NotificationColumn: String] = [:]
  /// Whether the notification is about the recipient.
  var isOfRecipient = false

  subscript(_ column: NotificationColumn) -> String? {
    get { names[column] }
    set { names[column] = newValue }
  }

  /// What the message of a kind contains.
  static func needs(of kind: Kind) -> [NotificationColumn] {
    switch kind {
    case .groupInvitationNotification: [.actorName, .groupName]
    case .groupJoinRequestNotification: [.actorName, .joinRequestGroupName]
    case .groupJoinAcceptedNotification, .groupMemberRemovedNotification: [.groupName]
    case .familyInvitationRejectedNotification: [.id]
    case .parentJoinedNotification, .parentLeftNotification, .parentRemovedNotification,
      .parentRemovalEndedNotification:
      [.subjectName, .isOfViewer]
    case .parentRemovalRequestedNotification: [.actorName, .subjectName, .isOfViewer]
    case .reminderNotification: [.choreName]
    case .choreFinishedNotification: [.childName, .subjectChoreName]
    case .choreApprovedNotification, .choreReturnedNotification: [.actorName, .subjectChoreName]
    case .rewardRedeemedNotification, .rewardHandedOutNotification: [.actorName, .childName, .rewardName]
    default: [.actorName]
    }
  }

  func message(of kind: Kind) -> String {
    switch kind {
    case .contactRequestNotification: "\(actor) asks to become your contact."
    case .contactAcceptedNotification: "\(actor) is now in your address book."
    case .contactRemovedNotification: "\(actor) is no longer in your address book."
    case .groupInvitationNotification: "\(actor) invites you to \(group)."
    case .groupJoinRequestNotification:
      "\(actor) asks to join \(self[.joinRequestGroupName].map { "the group \($0)" } ?? "one of your groups")."
    case .groupJoinAcceptedNotification: "You are now a member of \(group)."
    // Does not name the admin.
    case .groupMemberRemovedNotification: "You were removed from \(group)."
    case .familyInvitationClaimedNotification:
      "\(actor) has an invitation to your family and waits for your confirmation."
    case .familyInvitationRejectedNotification: "The family has not confirmed you as a parent."
    case .parentJoinedNotification:
      parent.map { "\($0) is now a parent of your family." } ?? "You are now a parent of your new family."
    case .parentLeftNotification: "\(parent ?? "You") left your family."
    case .parentRemovedNotification:
      parent.map { "\($0) was removed from your family." }
        ?? "You were removed from your family, and have a new family of your own."
    case .parentRemovalRequestedNotification:
      "\(actor) asks to remove \(isOfRecipient ? "you" : self[.subjectName] ?? "somebody") from your family."
    case .parentRemovalEndedNotification: "The request to remove \(parent ?? "you") from your family has ended."
    case .reminderNotification: Self.reminder(ofChore: self[.choreName])
    case .choreFinishedNotification:
      "\(self[.childName] ?? "A child") has finished a chore: \(self[.subjectChoreName] ?? "a chore")."
    case .choreApprovedNotification: "\(actor) has approved a chore\(after(self[.subjectChoreName]))."
    case .choreReturnedNotification: "\(actor) has sent a chore back\(after(self[.subjectChoreName]))."
    case .rewardRedeemedNotification: "\(member) has redeemed a reward\(after(self[.rewardName]))."
    case .rewardHandedOutNotification: "\(member) has handed out a reward\(after(self[.rewardName]))."
    default: "There is news for you."
    }
  }

  static func reminder(ofChore name: String?) -> String {
    name.map { "It is time: \($0)." } ?? "It was time for a chore."
  }

  private var actor: String { self[.actorName] ?? "Somebody" }
  /// A child, or an adult.
  private var member: String { self[.childName] ?? actor }
  private var group: String { self[.groupName].map { "the group \($0)" } ?? "a group that was deleted" }
  /// Nil if the parent is the recipient.
  private var parent: String? { isOfRecipient ? nil : self[.subjectName] ?? "Somebody" }

  private func after(_ name: String?) -> String { name.map { ": \($0)" } ?? "" }
}
