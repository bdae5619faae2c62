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
    "deactivateAccount": DeactivateAccount.mutation,
    "addChild": AddChild.mutation,
    "addChore": AddChore.mutation,
    "assignPoints": AssignPoints.mutation,
    "makeContract": MakeContract.mutation,
  ])
}
