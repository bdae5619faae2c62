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
    sweeps: [Sweep(Sessions.sweep), Sweep(OneTimeToken.sweep)]
  )
}
