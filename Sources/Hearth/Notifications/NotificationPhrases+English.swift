extension NotificationPhrases {
  static let english = NotificationPhrases(
    somebody: "somebody",
    child: "a child",
    news: "There is news for you.",
    sentences: [
      .contactRequestNotification: Phrase("{actor} asks to become your contact."),
      .contactAcceptedNotification: Phrase("{actor} is now in your address book."),
      .contactRemovedNotification: Phrase("{actor} is no longer in your address book."),
      .groupInvitationNotification: Phrase(
        "{actor} invites you to the group {thing}.",
        withoutThing: "{actor} invites you to a group."
      ),
      .groupJoinRequestNotification: Phrase(
        "{actor} asks to join the group {thing}.",
        withoutThing: "{actor} asks to join one of your groups."
      ),
      .groupJoinAcceptedNotification: Phrase(
        "You are now a member of the group {thing}.",
        withoutThing: "You are now a member of a group."
      ),
      // Does not name the admin.
      .groupMemberRemovedNotification: Phrase(
        "You were removed from the group {thing}.",
        withoutThing: "You were removed from a group."
      ),
      .groupAdminNotification: Phrase(
        "You are now an admin of the group {thing}.",
        withoutThing: "You are now an admin of a group."
      ),
      .familyInvitationClaimedNotification: Phrase(
        "{actor} has an invitation to your family and waits for your confirmation."
      ),
      .familyInvitationRejectedNotification: Phrase("The family has not confirmed you as a parent."),
      .parentJoinedNotification: Phrase(
        "{parent} is now a parent of your family.",
        ofRecipient: "You are now a parent of your new family."
      ),
      .parentLeftNotification: Phrase("{parent} left your family.", ofRecipient: "You left your family."),
      .parentRemovedNotification: Phrase(
        "{parent} was removed from your family.",
        ofRecipient: "You were removed from your family, and have a new family of your own."
      ),
      .parentRemovalRequestedNotification: Phrase(
        "{actor} asks to remove {parent} from your family.",
        ofRecipient: "{actor} asks to remove you from your family."
      ),
      .parentRemovalEndedNotification: Phrase(
        "The request to remove {parent} from your family has ended.",
        ofRecipient: "The request to remove you from your family has ended."
      ),
      .reminderNotification: Phrase("It is time: {thing}.", withoutThing: "It was time for a chore."),
      .choreFinishedNotification: Phrase(
        "{child} has finished a chore: {thing}.",
        withoutThing: "{child} has finished a chore."
      ),
      .choreApprovedNotification: Phrase(
        "{actor} has approved a chore: {thing}.",
        withoutThing: "{actor} has approved a chore."
      ),
      .choreReturnedNotification: Phrase(
        "{actor} has sent a chore back: {thing}.",
        withoutThing: "{actor} has sent a chore back."
      ),
      .rewardRedeemedNotification: Phrase(
        "{member} has redeemed a reward: {thing}.",
        withoutThing: "{member} has redeemed a reward."
      ),
      .rewardHandedOutNotification: Phrase(
        "{member} has handed out a reward: {thing}.",
        withoutThing: "{member} has handed out a reward."
      ),
    ]
  )
}
