import GraphQL

enum MutationType {
  static let binding = ObjectBinding(fields: [
    "register": Registration.register,
    "signIn": SigningIn.signIn,
    "signInChild": SigningIn.signInChild,
    "refreshSession": Sessions.refreshSession,
    "signOut": Sessions.signOut,
    "endSession": EndSession.mutation,
    "changePassword": ChangePassword.mutation,
    "requestPasswordReset": PasswordReset.request,
    "resetPassword": PasswordReset.reset,
    "verifyEmail": VerifyEmail.mutation,
    "deactivateAccount": DeactivateAccount.mutation,
    "signInWithCode": SignInCode.signIn,
    "inviteParent": FamilyInvitation.invite,
    "acceptFamilyInvitation": FamilyInvitation.accept,
    "addChild": AddChild.mutation,
    "addChore": AddChore.mutation,
    "assignPoints": AssignPoints.mutation,
    "makeContract": MakeContract.mutation,
  ])
}
