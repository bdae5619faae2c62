extension PageTexts {
  static let german = PageTexts(
    verifyEmail: Page(
      title: "E-Mail-Adresse bestätigen",
      text: "Bitte bestätige, dass die E-Mail-Adresse, an die wir den Link geschickt haben, dir gehört.",
      button: "Adresse bestätigen",
      doneTitle: "Deine Adresse ist bestätigt",
      doneText: "Vielen Dank! Du kannst diese Seite schließen und in der App weitermachen."
    ),
    resetPassword: Page(
      title: "Neues Passwort wählen",
      text: """
        Du wirst auf allen Geräten abgemeldet und meldest dich ab sofort mit dem neuen Passwort an. Ein deaktiviertes \
        Konto wird wieder aktiviert.
        """,
      button: "Passwort speichern",
      doneTitle: "Dein Passwort wurde geändert",
      doneText: "Du kannst diese Seite schließen und dich mit dem neuen Passwort in der App anmelden."
    ),
    confirmEmail: Page(
      title: "Neue E-Mail-Adresse bestätigen",
      text: "Bitte bestätige, dass dies die neue Adresse deines Kontos ist. Ab sofort meldest du dich damit an.",
      button: "Adresse bestätigen",
      doneTitle: "Deine Adresse wurde geändert",
      doneText: "Ab sofort meldest du dich mit der neuen Adresse an. Du kannst diese Seite schließen."
    ),
    acceptInvitation: Page(
      title: "Einladung annehmen",
      text: "Melde dich an, um der Familie als Elternteil beizutreten.",
      button: "Anmelden und annehmen",
      doneTitle: "Du gehörst jetzt zur Familie",
      doneText: "Du kannst diese Seite schließen und in der App weitermachen."
    ),
    register: Page(
      title: "Konto erstellen",
      text: "Verwende die E-Mail-Adresse, an die du eingeladen wurdest, damit die Anfrage dich erreicht.",
      button: "Konto erstellen",
      doneTitle: "Dein Konto wurde erstellt",
      doneText: "Wir haben dir eine E-Mail geschickt. Bitte bestätige deine Adresse mit dem Link darin."
    ),
    stopInvitations: Page(
      title: "Keine Einladungen mehr erhalten",
      text: """
        An die Adresse, die die E-Mail erhalten hat, werden keine Einladungen mehr geschickt, egal von wem. Andere \
        E-Mails, etwa zu deinem eigenen Konto, sind davon nicht betroffen.
        """,
      button: "Einladungen beenden",
      doneTitle: "Du erhältst keine Einladungen mehr",
      doneText: """
        Wenn du dich mit dieser Adresse registrierst und sie bestätigst, kannst du wieder eingeladen werden. Du kannst \
        diese Seite schließen.
        """
    ),
    waitingTitle: "Deine Zusage muss noch bestätigt werden",
    waitingText: """
      Die Einladung ging an eine andere Adresse als die deines Kontos, oder du hast deine Adresse noch nicht \
      bestätigt. \
      Ein Elternteil der Familie muss bestätigen, dass du beitreten darfst.
      """,
    noAccount: "Ich habe noch kein Konto",
    registeredForInvitation: "Öffne danach den Link in der Einladung noch einmal, um sie anzunehmen.",
    code: "Code aus der E-Mail",
    email: "E-Mail-Adresse",
    password: "Passwort",
    newPassword: "Neues Passwort",
    repeatedPassword: "Passwort wiederholen",
    passwordHint: "Mindestens 8 Zeichen.",
    name: "Dein Name",
    dateOfBirth: "Geburtsdatum",
    phone: "Telefonnummer",
    errorTitle: "Das hat nicht geklappt",
    errorMark: "Fehler",
    required: "Bitte fülle dieses Feld aus.",
    invalid: "Dieser Wert ist nicht gültig.",
    invalidEmail: "Das ist keine E-Mail-Adresse.",
    linkInvalid: "Dieser Link oder Code ist nicht gültig. Er wurde schon verwendet oder durch einen neueren ersetzt.",
    stopLinkInvalid: "Dieser Link oder Code ist nicht vollständig. Bitte öffne den Link in der E-Mail noch einmal.",
    linkExpired: "Dieser Link oder Code ist abgelaufen. Bitte fordere in der App einen neuen an.",
    wrongCredentials: "Die E-Mail-Adresse oder das Passwort ist falsch.",
    deactivated: "Dieses Konto ist deaktiviert. Du kannst es in der App wieder aktivieren.",
    tooShort: "Das ist zu kurz.",
    tooLong: "Das ist zu lang.",
    tooCommon: "Dieses Passwort ist leicht zu erraten. Bitte wähle ein anderes.",
    mismatch: "Die beiden Passwörter stimmen nicht überein.",
    emailTaken: "Es gibt bereits ein Konto mit dieser E-Mail-Adresse.",
    invitationConflict: """
      Du kannst nicht beitreten: Deine eigene Familie hat Kinder oder einen weiteren Elternteil, oder jemand \
      anderes hat \
      diese Einladung verwendet.
      """,
    rateLimited: "Das waren zu viele Versuche. Bitte versuche es später noch einmal.",
    failed: "Etwas ist schiefgegangen. Bitte versuche es später noch einmal."
  )
}
