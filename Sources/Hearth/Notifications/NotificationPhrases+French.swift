extension NotificationPhrases {
  static let french = NotificationPhrases(
    somebody: "quelqu’un",
    child: "un enfant",
    news: "Il y a du nouveau pour vous.",
    sentences: [
      .contactRequestNotification: Phrase("{actor} souhaite faire partie de vos contacts."),
      .contactAcceptedNotification: Phrase("{actor} figure maintenant dans votre carnet d’adresses."),
      .contactRemovedNotification: Phrase("{actor} ne figure plus dans votre carnet d’adresses."),
      .groupInvitationNotification: Phrase(
        "{actor} vous invite dans le groupe {thing}.",
        withoutThing: "{actor} vous invite dans un groupe."
      ),
      .groupJoinRequestNotification: Phrase(
        "{actor} demande à rejoindre le groupe {thing}.",
        withoutThing: "{actor} demande à rejoindre un de vos groupes."
      ),
      .groupJoinAcceptedNotification: Phrase(
        "Vous êtes maintenant membre du groupe {thing}.",
        withoutThing: "Vous êtes maintenant membre d’un groupe."
      ),
      .groupMemberRemovedNotification: Phrase(
        "Vous ne faites plus partie du groupe {thing}.",
        withoutThing: "Vous ne faites plus partie d’un groupe."
      ),
      .groupAdminNotification: Phrase(
        "Vous administrez maintenant le groupe {thing}.",
        withoutThing: "Vous administrez maintenant un groupe."
      ),
      .familyInvitationClaimedNotification: Phrase(
        "{actor} a une invitation à rejoindre votre famille et attend votre confirmation."
      ),
      .familyInvitationRejectedNotification: Phrase("La famille ne vous a pas confirmé comme parent."),
      .parentJoinedNotification: Phrase(
        "{parent} est maintenant parent de votre famille.",
        ofRecipient: "Vous êtes maintenant parent de votre nouvelle famille."
      ),
      .parentLeftNotification: Phrase(
        "{parent} a quitté votre famille.",
        ofRecipient: "Vous avez quitté votre famille."
      ),
      .parentRemovedNotification: Phrase(
        "{parent} ne fait plus partie de votre famille.",
        ofRecipient: "Vous ne faites plus partie de votre famille et avez une nouvelle famille à vous."
      ),
      .parentRemovalRequestedNotification: Phrase(
        "{actor} demande à retirer {parent} de votre famille.",
        ofRecipient: "{actor} demande à vous retirer de votre famille."
      ),
      .parentRemovalEndedNotification: Phrase(
        "La demande de retirer {parent} de votre famille a pris fin.",
        ofRecipient: "La demande de vous retirer de votre famille a pris fin."
      ),
      .reminderNotification: Phrase("C’est l’heure : {thing}.", withoutThing: "C’était l’heure d’une tâche."),
      .choreFinishedNotification: Phrase(
        "{child} a terminé une tâche : {thing}.",
        withoutThing: "{child} a terminé une tâche."
      ),
      .choreApprovedNotification: Phrase(
        "{actor} a approuvé une tâche : {thing}.",
        withoutThing: "{actor} a approuvé une tâche."
      ),
      .choreReturnedNotification: Phrase(
        "{actor} a renvoyé une tâche : {thing}.",
        withoutThing: "{actor} a renvoyé une tâche."
      ),
      .rewardRedeemedNotification: Phrase(
        "{member} a demandé une récompense : {thing}.",
        withoutThing: "{member} a demandé une récompense."
      ),
      .rewardHandedOutNotification: Phrase(
        "{member} a remis une récompense : {thing}.",
        withoutThing: "{member} a remis une récompense."
      ),
    ]
  )
}
