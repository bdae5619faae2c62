import Storage

/// A row of `group_member`: a member of a group, or a person who is invited to it.
struct GroupMember: StoredRow {
  var group: GlobalID
  var person: GlobalID
  var id: GlobalID
  var role: GroupRole
  /// The person's name as a sort key.
  var nameKey: String
  var invitedBy: GlobalID?
  /// Nil for a person who is only invited.
  var joinedAt: Timestamp?
  /// What the person has agreed to share with the other members.
  var sharing: Scopes

  static let table = Table<GroupMember>(
    "group_member",
    [
      Column("group_id", \.group),
      Column("person_id", \.person),
      Column("id", \.id),
      Column("role", \.role),
      Column("name_key", \.nameKey),
      Column("invited_by", \.invitedBy),
      Column("joined_at", \.joinedAt),
      Column("sharing", \.sharing),
    ]
  )
}

/// Identifies a row of `group_member`, or another row of a person and a group.
typealias GroupMemberKey = (group: GlobalID, person: GlobalID)
