/// The kind of object that a key identifies. Its raw value is part of every key in every database, so it never changes.
/// The name of a case is that of its object type in the schema (`SchemaNamed`).
enum Kind: Int64, Sendable, CaseIterable {
  case family = 1
  /// A person's private view of themselves. It has the number of the person's key.
  case account = 2
  case person = 3
  case child = 4
  case chore = 5
  case contract = 6
  case finishedChore = 7
  case session = 8
  case item = 9
  case reminder = 10
  case contactInfo = 11
  case contact = 12
  case contactRequest = 13
  case group = 14
  case contactRequestNotification = 15
  case contactAcceptedNotification = 16
  case contactRemovedNotification = 17
  case groupInvitationNotification = 18
  case reminderNotification = 19
  /// A person's membership of a group.
  case groupMember = 20
  case groupJoinRequest = 21
  case groupJoinRequestNotification = 22
  case groupJoinAcceptedNotification = 23
  case groupMemberRemovedNotification = 24
  case familyInvitation = 25
  case parentRemoval = 26
  case familyInvitationClaimedNotification = 27
  case familyInvitationRejectedNotification = 28
  case parentJoinedNotification = 29
  case parentLeftNotification = 30
  case parentRemovedNotification = 31
  case parentRemovalRequestedNotification = 32
  case parentRemovalEndedNotification = 33
  case choreFinishedNotification = 34
  case pointEntry = 35
  case choreApprovedNotification = 36
  case choreReturnedNotification = 37
  case rewardRedeemedNotification = 38
  case rewardHandedOutNotification = 39
  /// A device that receives notifications.
  case device = 40
  case groupAdminNotification = 41
}

/// The key of an object: its kind in the low six bits, and above them a number that increases with each new object.
///
/// Keys therefore sort by age, a stored key tells the kind of its object, and a reference to "a member" needs no second
/// column. Clients never see keys. They see the ids that `IdentifierCipher` makes of them.
struct GlobalID: RawRepresentable, Hashable, Sendable {
  let rawValue: Int64
  init(rawValue: Int64) { self.rawValue = rawValue }

  static let kindBits: Int64 = 6

  init(_ kind: Kind, number: Int64) {
    rawValue = number << Self.kindBits | kind.rawValue
  }

  /// A mask of the bits that hold the kind.
  static let kindMask: Int64 = 1 << kindBits - 1

  var kind: Kind? { Kind(rawValue: rawValue & Self.kindMask) }

  var number: Int64 { rawValue >> Self.kindBits }

  /// The key with the same number and another kind, such as the account of a person.
  func viewed(as kind: Kind) -> GlobalID {
    GlobalID(kind, number: number)
  }
}
