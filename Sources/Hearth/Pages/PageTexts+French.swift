extension PageTexts {
  static let french = PageTexts(
    verifyEmail: Page(
      title: "Confirmer votre adresse e-mail",
      text: "Merci de confirmer que l’adresse e-mail à laquelle nous avons envoyé le lien est bien la vôtre.",
      button: "Confirmer l’adresse",
      doneTitle: "Votre adresse est confirmée",
      doneText: "Merci ! Vous pouvez fermer cette page et continuer dans l’application."
    ),
    resetPassword: Page(
      title: "Choisir un nouveau mot de passe",
      text: """
        Vous serez déconnecté(e) de tous vos appareils et vous connecterez désormais avec le nouveau mot de passe. Un \
        compte désactivé est réactivé.
        """,
      button: "Enregistrer le mot de passe",
      doneTitle: "Votre mot de passe a été modifié",
      doneText: "Vous pouvez fermer cette page et vous connecter à l’application avec le nouveau mot de passe."
    ),
    confirmEmail: Page(
      title: "Confirmer votre nouvelle adresse e-mail",
      text:
        "Merci de confirmer que c’est la nouvelle adresse de votre compte. Vous vous connecterez désormais avec elle.",
      button: "Confirmer l’adresse",
      doneTitle: "Votre adresse a été modifiée",
      doneText: "Vous vous connectez désormais avec la nouvelle adresse. Vous pouvez fermer cette page."
    ),
    acceptInvitation: Page(
      title: "Accepter l’invitation",
      text: "Connectez-vous pour rejoindre la famille en tant que parent.",
      button: "Se connecter et accepter",
      doneTitle: "Vous avez rejoint la famille",
      doneText: "Vous pouvez fermer cette page et continuer dans l’application."
    ),
    register: Page(
      title: "Créer un compte",
      text: "Utilisez l’adresse e-mail à laquelle vous avez été invité(e), afin que la demande vous parvienne.",
      button: "Créer le compte",
      doneTitle: "Votre compte a été créé",
      doneText: "Nous vous avons envoyé un e-mail. Merci de confirmer votre adresse avec le lien qu’il contient."
    ),
    stopInvitations: Page(
      title: "Ne plus recevoir d’invitations",
      text: """
        Plus aucune invitation ne sera envoyée à l’adresse qui a reçu l’e-mail, quelle que soit la personne qui invite. \
        Les autres e-mails, par exemple au sujet de votre propre compte, ne changent pas.
        """,
      button: "Arrêter les invitations",
      doneTitle: "Vous ne recevrez plus d’invitations",
      doneText: """
        Si vous vous inscrivez avec cette adresse et la confirmez, vous pourrez de nouveau être invité(e). Vous pouvez \
        fermer cette page.
        """
    ),
    waitingTitle: "Votre accord doit encore être validé",
    waitingText: """
      L’invitation a été envoyée à une autre adresse que celle de votre compte, ou vous n’avez pas encore confirmé la \
      vôtre. Un parent de la famille doit confirmer que vous pouvez la rejoindre.
      """,
    noAccount: "Je n’ai pas encore de compte",
    registeredForInvitation: "Ouvrez ensuite à nouveau le lien de l’invitation pour l’accepter.",
    code: "Code reçu par e-mail",
    email: "Adresse e-mail",
    password: "Mot de passe",
    newPassword: "Nouveau mot de passe",
    repeatedPassword: "Mot de passe (confirmation)",
    passwordHint: "Au moins 8 caractères.",
    name: "Votre nom",
    dateOfBirth: "Date de naissance",
    phone: "Numéro de téléphone",
    errorTitle: "Cela n’a pas fonctionné",
    errorMark: "Erreur",
    required: "Veuillez remplir ce champ.",
    invalid: "Cette valeur n’est pas valide.",
    invalidEmail: "Ce n’est pas une adresse e-mail.",
    linkInvalid: "Ce lien ou ce code n’est pas valide. Il a déjà été utilisé ou a été remplacé par un plus récent.",
    stopLinkInvalid: "Ce lien ou ce code n’est pas complet. Veuillez ouvrir à nouveau le lien de l’e-mail.",
    linkExpired: "Ce lien ou ce code a expiré. Demandez-en un nouveau dans l’application.",
    wrongCredentials: "L’adresse e-mail ou le mot de passe est incorrect.",
    deactivated: "Ce compte est désactivé. Vous pouvez le réactiver dans l’application.",
    tooShort: "C’est trop court.",
    tooLong: "C’est trop long.",
    tooCommon: "Ce mot de passe est facile à deviner. Choisissez-en un autre.",
    mismatch: "Les deux mots de passe ne sont pas identiques.",
    emailTaken: "Un compte existe déjà avec cette adresse e-mail.",
    invitationConflict: """
      Vous ne pouvez pas rejoindre cette famille : la vôtre compte des enfants ou un autre parent, ou \
      quelqu’un d’autre a \
      utilisé cette invitation.
      """,
    rateLimited: "Il y a eu trop de tentatives. Veuillez réessayer plus tard.",
    failed: "Une erreur est survenue. Veuillez réessayer plus tard."
  )
}
