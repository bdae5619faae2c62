extension NotificationPhrases {
  static let german = NotificationPhrases(
    somebody: "jemand",
    child: "ein Kind",
    news: "Es gibt Neuigkeiten für dich.",
    sentences: [
      .contactRequestNotification: Phrase("{actor} möchte mit dir in Kontakt sein."),
      .contactAcceptedNotification: Phrase("{actor} ist jetzt in deinem Adressbuch."),
      .contactRemovedNotification: Phrase("{actor} ist nicht mehr in deinem Adressbuch."),
      .groupInvitationNotification: Phrase(
        "{actor} lädt dich in die Gruppe {thing} ein.",
        withoutThing: "{actor} lädt dich in eine Gruppe ein."
      ),
      .groupJoinRequestNotification: Phrase(
        "{actor} möchte der Gruppe {thing} beitreten.",
        withoutThing: "{actor} möchte einer deiner Gruppen beitreten."
      ),
      .groupJoinAcceptedNotification: Phrase(
        "Du bist jetzt Mitglied der Gruppe {thing}.",
        withoutThing: "Du bist jetzt Mitglied einer Gruppe."
      ),
      .groupMemberRemovedNotification: Phrase(
        "Du wurdest aus der Gruppe {thing} entfernt.",
        withoutThing: "Du wurdest aus einer Gruppe entfernt."
      ),
      .groupAdminNotification: Phrase(
        "Du verwaltest jetzt die Gruppe {thing}.",
        withoutThing: "Du verwaltest jetzt eine Gruppe."
      ),
      .familyInvitationClaimedNotification: Phrase(
        "{actor} hat eine Einladung in deine Familie und wartet auf deine Bestätigung."
      ),
      .familyInvitationRejectedNotification: Phrase("Die Familie hat dich nicht als Elternteil bestätigt."),
      .parentJoinedNotification: Phrase(
        "{parent} ist jetzt Elternteil deiner Familie.",
        ofRecipient: "Du bist jetzt Elternteil deiner neuen Familie."
      ),
      .parentLeftNotification: Phrase(
        "{parent} hat deine Familie verlassen.",
        ofRecipient: "Du hast deine Familie verlassen."
      ),
      .parentRemovedNotification: Phrase(
        "{parent} wurde aus deiner Familie entfernt.",
        ofRecipient: "Du wurdest aus deiner Familie entfernt und hast eine neue eigene Familie."
      ),
      .parentRemovalRequestedNotification: Phrase(
        "{actor} möchte, dass {parent} aus deiner Familie entfernt wird.",
        ofRecipient: "{actor} möchte, dass du aus deiner Familie entfernt wirst."
      ),
      .parentRemovalEndedNotification: Phrase(
        "Der Antrag, {parent} aus deiner Familie zu entfernen, ist beendet.",
        ofRecipient: "Der Antrag, dich aus deiner Familie zu entfernen, ist beendet."
      ),
      .reminderNotification: Phrase("Es ist Zeit: {thing}.", withoutThing: "Es war Zeit für eine Aufgabe."),
      .choreFinishedNotification: Phrase(
        "{child} hat eine Aufgabe erledigt: {thing}.",
        withoutThing: "{child} hat eine Aufgabe erledigt."
      ),
      .choreApprovedNotification: Phrase(
        "{actor} hat eine Aufgabe bestätigt: {thing}.",
        withoutThing: "{actor} hat eine Aufgabe bestätigt."
      ),
      .choreReturnedNotification: Phrase(
        "{actor} hat eine Aufgabe zurückgegeben: {thing}.",
        withoutThing: "{actor} hat eine Aufgabe zurückgegeben."
      ),
      .rewardRedeemedNotification: Phrase(
        "{member} hat eine Belohnung eingelöst: {thing}.",
        withoutThing: "{member} hat eine Belohnung eingelöst."
      ),
      .rewardHandedOutNotification: Phrase(
        "{member} hat eine Belohnung übergeben: {thing}.",
        withoutThing: "{member} hat eine Belohnung übergeben."
      ),
    ]
  )
}
