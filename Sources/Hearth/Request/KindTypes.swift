import GraphQL

/// Maps kinds of keys to object types. A class, because each request retains it.
final class KindTypes: Sendable {
  private let types: [TypeID?]
  private let events: [TypeID?]

  init(_ schema: Schema) {
    var types = [TypeID?](repeating: nil, count: 1 << Int(GlobalID.kindBits))
    for kind in Kind.allCases { types[Int(kind.rawValue)] = schema.type(named: kind.typeName) }
    self.types = types
    events = FamilyEvent.Kind.allCases.map { schema.type(named: $0.typeName) }
  }

  subscript(_ kind: FamilyEvent.Kind) -> TypeID? { events[Int(kind.rawValue)] }

  subscript(_ kind: Kind?) -> TypeID? { kind.flatMap { types[Int($0.rawValue)] } }

  /// The object type of a key. Nil if its low bits are no kind.
  subscript(_ key: GlobalID) -> TypeID? { types[Int(truncatingIfNeeded: key.rawValue & GlobalID.kindMask)] }
}

extension Kind {
  /// The name of the object type in the schema.
  var typeName: String {
    switch self {
    case .family: "Family"
    case .account: "Account"
    case .person: "Person"
    case .child: "Child"
    case .chore: "Chore"
    case .contract: "Contract"
    case .finishedChore: "FinishedChore"
    case .session: "Session"
    case .item: "Item"
    case .reminder: "Reminder"
    case .contactInfo: "ContactInfo"
    case .contact: "Contact"
    case .contactRequest: "ContactRequest"
    case .group: "Group"
    case .contactRequestNotification: "ContactRequestNotification"
    case .contactAcceptedNotification: "ContactAcceptedNotification"
    case .contactRemovedNotification: "ContactRemovedNotification"
    case .groupInvitationNotification: "GroupInvitationNotification"
    case .reminderNotification: "ReminderNotification"
    case .groupMember: "GroupMember"
    case .groupJoinRequest: "GroupJoinRequest"
    case .groupJoinRequestNotification: "GroupJoinRequestNotification"
    case .groupJoinAcceptedNotification: "GroupJoinAcceptedNotification"
    case .groupMemberRemovedNotification: "GroupMemberRemovedNotification"
    case .familyInvitation: "FamilyInvitation"
    case .parentRemoval: "ParentRemoval"
    case .familyInvitationClaimedNotification: "FamilyInvitationClaimedNotification"
    case .familyInvitationRejectedNotification: "FamilyInvitationRejectedNotification"
    case .parentJoinedNotification: "ParentJoinedNotification"
    case .parentLeftNotification: "ParentLeftNotification"
    case .parentRemovedNotification: "ParentRemovedNotification"
    case .parentRemovalRequestedNotification: "ParentRemovalRequestedNotification"
    case .parentRemovalEndedNotification: "ParentRemovalEndedNotification"
    case .choreFinishedNotification: "ChoreFinishedNotification"
    case .pointEntry: "PointEntry"
    case .choreApprovedNotification: "ChoreApprovedNotification"
    case .choreReturnedNotification: "ChoreReturnedNotification"
    case .rewardRedeemedNotification: "RewardRedeemedNotification"
    case .rewardHandedOutNotification: "RewardHandedOutNotification"
    case .device: "Device"
    case .groupAdminNotification: "GroupAdminNotification"
    }
  }
}
