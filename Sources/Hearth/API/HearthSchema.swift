import Assets
import GraphQL

/// The schema of `schema.graphql` with every field bound to what resolves it.
package enum HearthSchema {
  /// Refuses, naming each coordinate, when the two do not fit.
  package static func executable(_ sdl: String) throws(SchemaError) -> ExecutableSchema {
    try ExecutableSchema(try SchemaBuilder.build(sdl, scalars: Scalars.coercions), objects)
  }

  /// `schema.graphql`, as it is written.
  package static var sdl: [UInt8] { Asset.schema.bytes }

  package static func executable() throws(SchemaError) -> ExecutableSchema {
    try executable(String(decoding: sdl, as: UTF8.self))
  }

  /// What an introspection query answers, for generators that want that.
  package static func introspection() throws -> [UInt8] {
    try SchemaIntrospection.json(try executable().schema)
  }

  static let objects: [String: ObjectBinding] = [
    "Query": QueryType.binding,
    "Mutation": MutationType.binding,
    "Subscription": SubscriptionType.binding,

    "Account": AccountType.binding,
    "Person": PersonType.binding,
    "Credentials": Credentials.binding,
    "CredentialsPayload": Credentials.payload,
    "LinkedIdentity": LinkedIdentity.binding,
    "SignOutPayload": Payload.binding(done: "signedOut"),
    "Session": SessionType.binding,
    "EndSessionPayload": Payload.binding(done: "ended"),
    "RequestPasswordResetPayload": Payload.binding(done: "requested"),
    "ResendVerificationEmailPayload": Payload.binding(done: "sent"),
    "AccountPayload": Payload.binding("account"),
    "DeactivateAccountPayload": Payload.binding(done: "deactivated"),
    "RemovePayload": RemovePayload.binding,

    "Family": FamilyType.binding,
    "FamilyPayload": Payload.binding("family", "invitation"),
    "FamilyInvitation": FamilyInvitationType.binding,
    "ParentRemoval": ParentRemovalType.binding,
    "ParentRemovalPayload": Payload.binding("removal", "family"),
    "Child": ChildType.binding,
    "SignInCode": SignInCode.binding,
    "ChildPayload": Payload.binding("child"),

    "Chore": ChoreType.binding,
    "ChoreConnection": .connection,
    "ChoreEdge": .edge,
    "ChorePayload": Payload.binding("chore"),
    "FinishedChore": FinishedChoreType.binding,
    "FinishedChoreConnection": .connection,
    "FinishedChoreEdge": .edge,
    "PreloadChoresPayload": Payload.binding("chores"),
    "AssignPointsPayload": Payload.binding("child", "finishedChores"),

    "Contract": ContractType.binding,
    "ContractConnection": .connection,
    "ContractEdge": .edge,
    "ContractPayload": Payload.binding("contract"),
    "RewardLevel": RewardLevelType.binding,

    "Item": ItemType.binding,
    "ItemConnection": .connection,
    "ItemEdge": .edge,
    "ItemPayload": Payload.binding("item"),

    "Reminder": ReminderType.binding,
    "ReminderConnection": .connection,
    "ReminderEdge": .edge,
    "ReminderPayload": Payload.binding("reminder"),

    "ChildChanged": FamilyEventType.subject("child"),
    "ChildRemoved": FamilyEventType.removed("childId"),
    "ChoreChanged": FamilyEventType.subject("chore"),
    "ChoreRemoved": FamilyEventType.removed("choreId"),
    "PointsAssigned": FamilyEventType.pointsAssigned,
    "ContractChanged": FamilyEventType.subject("contract"),
    "ItemChanged": FamilyEventType.subject("item"),
    "ItemRemoved": FamilyEventType.removed("itemId"),
    "ParentJoined": FamilyEventType.subject("parent"),
    "ParentLeft": FamilyEventType.removed("parentId"),

    "PersonPayload": Payload.binding("person"),
    "ContactInfo": ContactInfoType.binding,
    "ContactInfoPayload": Payload.binding("contactInfo"),
    "PhoneNumber": PhoneNumber.binding,
    "PostalAddress": PostalAddress.binding,
    "Contact": ContactType.binding,
    "ContactConnection": .connection,
    "ContactEdge": .edge,
    "ContactPayload": Payload.binding("contact"),
    "ContactRequest": ContactRequestType.binding,
    "ContactRequestConnection": .connection,
    "ContactRequestEdge": .edge,
    "ContactRequestPayload": Payload.binding("contactRequest", "contact"),

    "AddressBookMatch": AddressBookMatch.binding,
    "MatchAddressBookPayload": AddressBookMatch.payload,

    "Group": GroupType.binding,
    "GroupConnection": .connection,
    "GroupEdge": .edge,
    "GroupMember": GroupMemberType.binding,
    "GroupMemberConnection": .connection,
    "GroupMemberEdge": .edge,
    "GroupJoinRequest": GroupJoinRequestType.binding,
    "GroupJoinRequestConnection": .connection,
    "GroupJoinRequestEdge": .edge,
    "GroupPayload": Payload.binding("group"),
    "SearchResultConnection": .connection,
    "SearchResultEdge": .edge,

    "ContactRequestNotification": NotificationType.contactRequest,
    "ContactAcceptedNotification": NotificationType.contactAccepted,
    "ContactRemovedNotification": NotificationType.contactRemoved,
    "ReminderNotification": NotificationType.reminder,
    "GroupInvitationNotification": NotificationType.groupInvitation,
    "GroupJoinRequestNotification": NotificationType.groupJoinRequest,
    "GroupJoinAcceptedNotification": NotificationType.groupJoinAccepted,
    "GroupMemberRemovedNotification": NotificationType.groupMemberRemoved,
    "FamilyInvitationClaimedNotification": NotificationType.familyInvitationClaimed,
    "FamilyInvitationRejectedNotification": NotificationType.familyInvitationRejected,
    "ParentJoinedNotification": NotificationType.parentJoined,
    "ParentLeftNotification": NotificationType.parentLeft,
    "ParentRemovedNotification": NotificationType.parentRemoved,
    "ParentRemovalRequestedNotification": NotificationType.parentRemovalRequested,
    "ParentRemovalEndedNotification": NotificationType.parentRemovalEnded,
    "NotificationConnection": .connection,
    "NotificationEdge": .edge,
    "MarkReadPayload": Payload.binding("account"),

    "Image": Picture.binding,
    "PageInfo": .pageInfo,
    "UserError": UserError.binding,
  ]
}
