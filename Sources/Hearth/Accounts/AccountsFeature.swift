import GraphQL

extension Feature {
  /// Accounts, sessions, and the methods to sign in.
  static let accounts = Feature(
    name: "accounts",
    objects: [
      "Account": AccountType.binding,
      "Credentials": Credentials.binding,
      "CredentialsPayload": Credentials.payload,
      "LinkedIdentity": LinkedIdentity.binding,
      "SignOutPayload": Payload.binding(done: "signedOut"),
      "Session": SessionType.binding,
      "EndSessionPayload": Payload.binding(done: "ended"),
      "RequestPasswordResetPayload": Payload.binding(done: "requested"),
      "ResendVerificationEmailPayload": Payload.binding(done: "sent"),
      "AccountPayload": Payload.binding("account"),
      "AccountChanged": FeedEventType.subject("viewer"),
      "NotificationsRead": FeedEventType.subject("viewer"),
      "ContactChanged": FeedEventType.subject("contact"),
      "ContactRemoved": FeedEventType.removed("contactId"),
      "ContactRequestChanged": FeedEventType.subject("contactRequest"),
      "ContactRequestRemoved": FeedEventType.removed("contactRequestId"),
      "GroupChanged": FeedEventType.subject("group"),
      "GroupRemoved": FeedEventType.removed("groupId"),
    ],
    queries: [
      "viewer": .objects { batch, context in
        try context.checkToken()
        if let viewer = context.member { batch.add(0, key: Viewer.key(of: viewer).rawValue) }
      }
    ],
    mutations: [
      "register": Registration.register,
      "signIn": SigningIn.signIn,
      "signInChild": SigningIn.signInChild,
      "signInWithIdentity": SignInWithIdentity.mutation,
      "linkIdentity": LinkIdentity.link,
      "unlinkIdentity": LinkIdentity.unlink,
      "refreshSession": Sessions.refreshSession,
      "signOut": Sessions.signOut,
      "endSession": EndSession.mutation,
      "changePassword": ChangePassword.mutation,
      "requestPasswordReset": PasswordReset.request,
      "resetPassword": PasswordReset.reset,
      "verifyEmail": VerifyEmail.mutation,
      "resendVerificationEmail": VerifyEmail.resend,
      "updateAccount": UpdateAccount.mutation,
      "changeEmail": ChangeEmail.request,
      "confirmEmailChange": ChangeEmail.confirm,
    ],
    subscriptions: [
      "accountChanged": Subscription(source: AccountChanged.source, field: AccountChanged.field)
    ],
    sweeps: [Sweep(Sessions.sweep), Sweep(OneTimeToken.sweep)]
  )
}
