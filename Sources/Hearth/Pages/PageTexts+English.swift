extension PageTexts {
  static let english = PageTexts(
    verifyEmail: Page(
      title: "Confirm your e-mail address",
      text: "Please confirm that the e-mail address to which we sent the link is yours.",
      button: "Confirm the address",
      doneTitle: "Your address is confirmed",
      doneText: "Thank you. You can close this page and go on in the app."
    ),
    resetPassword: Page(
      title: "Choose a new password",
      text: """
        You will be signed out on all devices and sign in with the new password from now on. A deactivated account is \
        reactivated.
        """,
      button: "Save the password",
      doneTitle: "Your password was changed",
      doneText: "You can close this page and sign in to the app with your new password."
    ),
    confirmEmail: Page(
      title: "Confirm your new e-mail address",
      text: "Please confirm that this is the new address of your account. You will sign in with it from now on.",
      button: "Confirm the address",
      doneTitle: "Your address was changed",
      doneText: "From now on you sign in with your new address. You can close this page."
    ),
    acceptInvitation: Page(
      title: "Accept the invitation",
      text: "Sign in to join the family as a parent.",
      button: "Sign in and accept",
      doneTitle: "You have joined the family",
      doneText: "You can close this page and go on in the app."
    ),
    register: Page(
      title: "Create an account",
      text: "Use the e-mail address to which you were invited, so that the request finds you.",
      button: "Create the account",
      doneTitle: "Your account was created",
      doneText: "We have sent you an e-mail. Please confirm your address with the link in it."
    ),
    stopInvitations: Page(
      title: "Stop invitations",
      text: """
        No more invitations will be sent to the address that received the e-mail, from any person. Other e-mails, such as \
        those about an account of your own, do not change.
        """,
      button: "Stop invitations",
      doneTitle: "You will receive no more invitations",
      doneText: "If you register with this address and confirm it, you can be invited again. You can close this page."
    ),
    waitingTitle: "Your acceptance awaits confirmation",
    waitingText: """
      The invitation was sent to another address than that of your account, or you have not confirmed yours \
      yet. A parent \
      of the family must confirm that you may join.
      """,
    noAccount: "I do not have an account yet",
    registeredForInvitation: "After that, open the link of the invitation again to accept it.",
    code: "Code from the e-mail",
    email: "E-mail address",
    password: "Password",
    newPassword: "New password",
    repeatedPassword: "Password again",
    passwordHint: "At least 8 characters.",
    name: "Your name",
    dateOfBirth: "Date of birth",
    phone: "Phone number",
    errorTitle: "That did not work",
    errorMark: "Error",
    required: "Please fill in this field.",
    invalid: "This value is not valid.",
    invalidEmail: "This is not an e-mail address.",
    linkInvalid: "This link or code is not valid. It was used already, or a newer one has replaced it.",
    stopLinkInvalid: "This link or code is not complete. Please open the link in the e-mail again.",
    linkExpired: "This link or code has expired. Please request a new one in the app.",
    wrongCredentials: "The e-mail address or the password is wrong.",
    deactivated: "This account is deactivated. You can reactivate it in the app.",
    tooShort: "This is too short.",
    tooLong: "This is too long.",
    tooCommon: "This password is easy to guess. Please choose another.",
    mismatch: "The two passwords are not the same.",
    emailTaken: "There is an account with this e-mail address already.",
    invitationConflict: """
      You cannot join: your own family has children or another parent, or somebody else has used this invitation.
      """,
    rateLimited: "There were too many attempts. Please try again later.",
    failed: "Something went wrong. Please try again later."
  )
}
