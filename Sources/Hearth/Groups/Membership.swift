import Storage

/// Inserts, updates and deletes rows of `group_member`. Triggers update the member count in the same write.
enum Membership {
  typealias Addition = (
    group: GlobalID, person: GlobalID, id: GlobalID, role: GroupRole, inviter: GlobalID?, joinedAt: Timestamp?,
    sharing: Scopes?
  )

  /// The maximum number of groups per person, including invitations. Checking what people share reads all of them.
  static let maximumOfPerson: Int64 = 500

  static let role = SQL<GroupMemberKey>(
    "SELECT role FROM group_member WHERE group_id = \(\.group) AND person_id = \(\.person)"
  )
  static let countOfPerson = SQL<GlobalID>(
    """
    SELECT count(*) FROM group_member AS m \(index: "group_member_by_person") \
    \(join: .asWritten) person_group AS g ON g.id = m.group_id WHERE m.person_id = \(\.self)
    """
  )
  /// A member shares the scopes that they have agreed to and that the group shares. An invited person shares nothing.
  static let insert: SQL<Addition> = GroupMember.table.insert(
    [
      .setting(\.group, to: "\(\.group)"),
      .setting(\.person, to: "p.id"),
      .setting(\.id, to: "\(\.id)"),
      .setting(\.role, to: "\(\.role)"),
      .setting(\.nameKey, to: "p.name_key"),
      .setting(\.invitedBy, to: "\(\.inviter)"),
      .setting(\.joinedAt, to: "\(\.joinedAt)"),
      .setting(
        \.sharing,
        to: """
          CASE WHEN \(\.role) < \(GroupRole.invited) THEN g.sharing & coalesce(\(\.sharing), g.sharing) ELSE 0 END
          """
      ),
    ],
    from: "person AS p \(join: .asWritten) person_group AS g ON g.id = \(\.group) WHERE p.id = \(\.person)"
  )
  static let join = SQL<(group: GlobalID, person: GlobalID, now: Timestamp)>(
    """
    UPDATE group_member SET role = \(lesserOf: "role", "\(GroupRole.member)"), \
    joined_at = coalesce(joined_at, \(\.now)), \
    sharing = (SELECT g.sharing FROM person_group AS g WHERE g.id = \(\.group)) \
    WHERE group_id = \(\.group) AND person_id = \(\.person)
    """
  )
  static let endAgreements = SQL<GlobalID>(endingAgreements(in: "group_member"))
  static let endAgreementsOfOthers = SQL<GroupMemberKey>(
    "UPDATE group_member SET sharing = 0 WHERE group_id = \(\.group) AND person_id <> \(\.person) AND sharing <> 0"
  )
  static let setRole = SQL<(group: GlobalID, person: GlobalID, role: GroupRole)>(
    "UPDATE group_member SET role = \(\.role) WHERE group_id = \(\.group) AND person_id = \(\.person)"
  )
  /// Only admins can invite people to a group that is not open: invitations by a person who is no longer one of its
  /// admins are withdrawn.
  static let withdrawInvitations = SQL<GroupMemberKey>(
    """
    DELETE FROM group_member \
    WHERE group_id = \(\.group) AND role = \(GroupRole.invited) AND invited_by = \(\.person) \
    AND EXISTS (SELECT 1 FROM person_group AS g WHERE g.id = \(\.group) AND g.access <> \(GroupAccess.open))
    """
  )
  /// Updates the sort key of a renamed person in the member lists of their groups.
  static let reorder = SQL<(person: GlobalID, nameKey: String)>(
    "UPDATE group_member SET name_key = \(\.nameKey) WHERE person_id = \(\.person)"
  )
  static let delete = SQL<GroupMemberKey>(
    "DELETE FROM group_member WHERE group_id = \(\.group) AND person_id = \(\.person)"
  )
  /// An admin, or if there is none, the longest-standing member.
  static let successor = SQL<GlobalID>(
    """
    SELECT person_id, role FROM group_member \(index: "group_member_by_role") \
    WHERE group_id = \(\.self) AND role < \(GroupRole.invited) ORDER BY role, joined_at, person_id LIMIT 1
    """
  )
  static let otherAdmin = SQL<GroupMemberKey>(
    """
    SELECT 1 FROM group_member \
    WHERE group_id = \(\.group) AND role = \(GroupRole.admin) AND person_id <> \(\.person) LIMIT 1
    """
  )
  static let groupsOfPerson = SQL<GlobalID>(
    """
    SELECT g.id FROM group_member AS m \(index: "group_member_by_person") \
    \(join: .asWritten) person_group AS g ON g.id = m.group_id WHERE m.person_id = \(\.self)\(order: "g.id")
    """
  )
  /// Deletes memberships of deleted groups.
  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM group_member WHERE id IN (\
    SELECT m.id FROM ended_group AS e \(join: .asWritten) group_member AS m ON m.group_id = e.id LIMIT \(\.limit))
    """
  )
  static let sweepGroups = SQL<Sweeper.Portion>(
    """
    DELETE FROM ended_group WHERE id IN (SELECT e.id FROM ended_group AS e \
    WHERE NOT EXISTS (SELECT 1 FROM group_member AS m WHERE m.group_id = e.id) \
    AND NOT EXISTS (SELECT 1 FROM group_join_request AS j WHERE j.group_id = e.id) \
    AND NOT EXISTS (SELECT 1 FROM group_exclusion AS x WHERE x.group_id = e.id) LIMIT \(\.limit))
    """
  )

  static func role(of person: GlobalID, in group: GlobalID, from reader: Reader) throws -> GroupRole? {
    try reader.first(of: role, (group: group, person: person)) { row in
      GroupRole(stored: row.int64(0))
    } ?? nil
  }

  static func hasRoom(for person: GlobalID, from reader: Reader) throws -> Bool {
    try reader.number(of: countOfPerson, person) ?? 0 < maximumOfPerson
  }

  /// Adds a person who is neither a member nor invited.
  ///
  /// - Parameters:
  ///   - inviter: for invitations.
  ///   - sharing: the scopes that the person has agreed to share; by default those that the group shares at this time.
  static func insert(
    _ person: GlobalID,
    as role: GroupRole,
    of group: GlobalID,
    invitedBy inviter: GlobalID? = nil,
    agreedTo sharing: Scopes? = nil,
    in write: DatedWrite
  ) throws {
    let addition: Addition = (
      group: group, person: person, id: try KeySequence.next(.groupMember, in: write.transaction), role: role,
      inviter: inviter,
      joinedAt: role == .invited ? nil : write.now, sharing: sharing
    )
    try write.transaction.run(insert, addition)
  }

  /// Invites a person who is neither a member nor invited, and notifies them.
  static func invite(_ person: GlobalID, to group: GlobalID, by inviter: GlobalID, in write: DatedWrite) throws {
    try insert(person, as: .invited, of: group, invitedBy: inviter, in: write)
    write.record(.groupChanged, subject: group, for: person)
    try Notifications.notify(person, kind: .groupInvitationNotification, about: group, by: inviter, in: write)
  }

  /// Makes an invited person a member, whose exclusion ends with that. They, or an existing member, agree to share what
  /// the group shares at this time.
  static func join(_ person: GlobalID, to group: GlobalID, in write: DatedWrite) throws {
    try GroupExclusion.delete(person, from: group, in: write.transaction)
    try write.transaction.run(join, (group: group, person: person, now: write.now))
    write.record(.groupChanged, subject: group, for: person)
  }

  /// Deletes agreements to scopes that the group does not share, in the table of its members or of its requesters.
  static func endingAgreements(in table: String) -> SQLFragment<GlobalID> {
    """
    UPDATE \(sql: table) SET sharing = sharing & (SELECT g.sharing FROM person_group AS g WHERE g.id = \(\.self)) \
    WHERE group_id = \(\.self) \
    AND sharing <> (sharing & (SELECT g.sharing FROM person_group AS g WHERE g.id = \(\.self)))
    """
  }

  /// Deletes what members and requesters have agreed to and an earlier change has ended. Must be called before each
  /// change of what the group shares, so that a scope that it shares again requires their agreement like a new one.
  /// Until then such agreements have no effect, because readers intersect them with what the group shares.
  static func endAgreements(of group: GlobalID, in transaction: WriteTransaction) throws {
    try transaction.run(endAgreements, group)
    try transaction.run(GroupJoinRequest.endAgreements, group)
  }

  /// Deletes what all members but one, and all requesters, have agreed to share.
  static func endAgreementsOfOthers(
    than person: GlobalID,
    group: GlobalID,
    in transaction: WriteTransaction
  ) throws {
    try transaction.run(endAgreementsOfOthers, (group: group, person: person))
    try transaction.run(GroupJoinRequest.endAllAgreements, group)
  }

  /// Makes a member an admin, or an admin a member, whose invitations to a group that is not open are withdrawn.
  static func setRole(
    _ role: GroupRole,
    of person: GlobalID,
    group: GlobalID,
    in write: DatedWrite
  ) throws {
    try write.transaction.run(setRole, (group: group, person: person, role: role))
    write.record(.groupChanged, subject: group, for: person)
    if role != .admin { try write.transaction.run(withdrawInvitations, (group: group, person: person)) }
  }

  /// Notifies a member that they have become an admin. The notification does not name another member.
  static func notify(_ person: GlobalID, asAdminOf group: GlobalID, in write: DatedWrite) throws {
    try Notifications.notify(person, kind: .groupAdminNotification, about: group, by: nil, in: write)
  }

  /// Removes a member, with their invitations if the group is not open, or the invitation of a person. If a group loses
  /// its last admin, its longest-standing member becomes admin and is notified. If it loses its last member, it is
  /// deleted. Returns false if the person was neither a member nor invited.
  @discardableResult
  static func remove(_ person: GlobalID, from group: GlobalID, in write: DatedWrite) throws -> Bool {
    try write.transaction.run(delete, (group: group, person: person))
    guard write.transaction.changedRows > 0 else { return false }
    let next = try write.reader.first(of: successor, group) { row in
      (person: row.key(0), role: GroupRole(stored: row.int64(1)))
    }
    guard let next else {
      try PersonGroup.delete(group, in: write.transaction)
      return true
    }
    try write.transaction.run(withdrawInvitations, (group: group, person: person))
    guard next.role != .admin else { return true }
    try setRole(.admin, of: next.person, group: group, in: write)
    try notify(next.person, asAdminOf: group, in: write)
    return true
  }

  /// Removes a person whose account ends from all groups, and deletes their requests to join others.
  static func removeEverywhere(_ person: GlobalID, in write: DatedWrite) throws {
    let groups = try write.reader.keys(of: groupsOfPerson, person)
    for group in groups { try remove(person, from: group, in: write) }
    try write.transaction.run(GroupJoinRequest.deleteOfPerson, person)
  }

  static func full(_ field: [String]) -> UserError {
    let message: UserError.Message = "A person can be in at most \(maximum: maximumOfPerson) groups."
    return UserError(field: field, code: .notAllowed, reason: .tooManyGroups, message: message)
  }
}
