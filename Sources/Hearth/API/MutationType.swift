import GraphQL

enum MutationType {
  static let binding = ObjectBinding(fields: [
    "register": Registration.register,
    "signIn": SigningIn.signIn,
    "signInChild": SigningIn.signInChild,
    "refreshSession": Sessions.refreshSession,
    "signOut": Sessions.signOut,
    "updateAccount": UpdateAccount.mutation,
    "updateFamily": UpdateFamily.mutation,
    "addChild": AddChild.mutation,
    "updateChild": UpdateChild.mutation,
    "removeChild": RemoveChild.mutation,
    "addChore": AddChore.mutation,
    "updateChore": UpdateChore.mutation,
    "removeChore": RemoveChore.mutation,
    "assignPoints": AssignPoints.mutation,
    "makeContract": MakeContract.mutation,
    "endContract": EndContract.mutation,
    "setReminder": SetReminder.mutation,
    "answerReminder": AnswerReminder.mutation,
    "removeReminder": RemoveReminder.mutation,
    "addItem": AddItem.mutation,
    "updateItem": UpdateItem.mutation,
    "removeItem": RemoveItem.mutation,
  ])
}
