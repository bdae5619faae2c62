import GraphQL

extension Feature {
  /// Families, their children and parents, and their events.
  static let families = Feature(
    name: "families",
    objects: [
      "Family": FamilyType.binding,
      "FamilyPayload": Payload.binding("family", "invitation"),
      "FamilyInvitation": FamilyInvitationType.binding,
      "ParentRemoval": ParentRemovalType.binding,
      "ParentRemovalPayload": Payload.binding("removal", "family"),
      "Child": ChildType.binding,
      "SignInCode": SignInCode.binding,
      "ChildPayload": Payload.binding("child"),
      "DeactivateAccountPayload": Payload.binding(done: "deactivated"),
      "ChildChanged": FeedEventType.subject("child"),
      "ChildRemoved": FeedEventType.removed("childId"),
      "FamilyChanged": FeedEventType.subject("family"),
      "ParentChanged": FeedEventType.subject("parent"),
      "ParentJoined": FeedEventType.subject("parent"),
      "ParentLeft": FeedEventType.removed("parentId"),
    ],
    queries: [
      "family": .objects { batch, context in
        batch.add(0, key: try context.requireFamily().rawValue)
      }
    ],
    mutations: [
      "signInWithCode": SignInCode.signIn,
      "inviteParent": FamilyInvitation.invite,
      "acceptFamilyInvitation": FamilyInvitation.accept,
      "confirmFamilyInvitation": FamilyInvitation.confirm,
      "cancelFamilyInvitation": FamilyInvitation.cancel,
      "leaveFamily": LeaveFamily.mutation,
      "requestParentRemoval": ParentRemoval.request,
      "objectToParentRemoval": ParentRemoval.object,
      "cancelParentRemoval": ParentRemoval.cancel,
      "updateFamily": UpdateFamily.mutation,
      "addChild": AddChild.mutation,
      "updateChildProfile": UpdateChild.mutation,
      "updateChild": UpdateChild.mutation,
      "removeChild": RemoveChild.mutation,
      "deactivateAccount": DeactivateAccount.mutation,
    ],
    subscriptions: ["familyChanged": Subscription(source: FamilyChanged.source, field: FamilyChanged.field)],
    lookups: [.child: ChildType.present],
    sweeps: [
      Sweep(age: 0, step: FamilyInvitation.endExpiredClaims), Sweep(FamilyInvitationRow.sweep),
      Sweep(EndedParentRemoval.sweep),
      Sweep(FeedWindow.sweep, age: FeedWindow.length),
    ],
    deadlines: [ParentRemovalRow.deadlines],
    services: [ParentRemoval.service]
  )
}
