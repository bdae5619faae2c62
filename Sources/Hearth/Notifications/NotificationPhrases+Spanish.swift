extension NotificationPhrases {
  static let spanish = NotificationPhrases(
    somebody: "alguien",
    child: "un niño",
    news: "Hay novedades para ti.",
    sentences: [
      .contactRequestNotification: Phrase("{actor} quiere estar entre tus contactos."),
      .contactAcceptedNotification: Phrase("{actor} ya está en tu agenda."),
      .contactRemovedNotification: Phrase("{actor} ya no está en tu agenda."),
      .groupInvitationNotification: Phrase(
        "{actor} te invita al grupo {thing}.",
        withoutThing: "{actor} te invita a un grupo."
      ),
      .groupJoinRequestNotification: Phrase(
        "{actor} pide unirse al grupo {thing}.",
        withoutThing: "{actor} pide unirse a uno de tus grupos."
      ),
      .groupJoinAcceptedNotification: Phrase(
        "Ya formas parte del grupo {thing}.",
        withoutThing: "Ya formas parte de un grupo."
      ),
      .groupMemberRemovedNotification: Phrase(
        "Ya no formas parte del grupo {thing}.",
        withoutThing: "Ya no formas parte de un grupo."
      ),
      .groupAdminNotification: Phrase(
        "Ahora administras el grupo {thing}.",
        withoutThing: "Ahora administras un grupo."
      ),
      .familyInvitationClaimedNotification: Phrase(
        "{actor} tiene una invitación a tu familia y espera tu confirmación."
      ),
      .familyInvitationRejectedNotification: Phrase("La familia no ha confirmado que seas madre o padre."),
      .parentJoinedNotification: Phrase(
        "{parent} ya es madre o padre en tu familia.",
        ofRecipient: "Ya eres madre o padre en tu nueva familia."
      ),
      .parentLeftNotification: Phrase("{parent} ha dejado tu familia.", ofRecipient: "Has dejado tu familia."),
      .parentRemovedNotification: Phrase(
        "{parent} ya no forma parte de tu familia.",
        ofRecipient: "Ya no formas parte de tu familia y tienes una nueva familia propia."
      ),
      .parentRemovalRequestedNotification: Phrase(
        "{actor} pide que {parent} deje de formar parte de tu familia.",
        ofRecipient: "{actor} pide que dejes de formar parte de tu familia."
      ),
      .parentRemovalEndedNotification: Phrase(
        "La petición de que {parent} deje tu familia ha terminado.",
        ofRecipient: "La petición de que dejes tu familia ha terminado."
      ),
      .reminderNotification: Phrase("Es la hora: {thing}.", withoutThing: "Era la hora de una tarea."),
      .choreFinishedNotification: Phrase(
        "{child} ha terminado una tarea: {thing}.",
        withoutThing: "{child} ha terminado una tarea."
      ),
      .choreApprovedNotification: Phrase(
        "{actor} ha aprobado una tarea: {thing}.",
        withoutThing: "{actor} ha aprobado una tarea."
      ),
      .choreReturnedNotification: Phrase(
        "{actor} ha devuelto una tarea: {thing}.",
        withoutThing: "{actor} ha devuelto una tarea."
      ),
      .rewardRedeemedNotification: Phrase(
        "{member} ha canjeado una recompensa: {thing}.",
        withoutThing: "{member} ha canjeado una recompensa."
      ),
      .rewardHandedOutNotification: Phrase(
        "{member} ha entregado una recompensa: {thing}.",
        withoutThing: "{member} ha entregado una recompensa."
      ),
    ]
  )
}
