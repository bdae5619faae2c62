import Storage

/// Inserts and deletes groups, and determines a person's rights.
extension PersonGroup {
  static let standing = SQL<GroupMemberKey>(
    """
    SELECT g.access, m.role FROM person_group AS g \
    LEFT JOIN group_member AS m ON m.group_id = g.id AND m.person_id = \(\.person) WHERE g.id = \(\.group)
    """
  )
  static let delete = SQL<GlobalID>("DELETE FROM person_group WHERE id = \(\.self)")

  struct Content: Sendable {
    let name: String
    let description: String?
    let hometown: String?
    let sharing: Scopes
    var picture = PictureChange.unchanged
    var access = GroupAccess.open
  }

  /// The role of a person in a group that they can see.
  struct Standing: Sendable {
    let access: GroupAccess
    let role: GroupRole?
  }

  /// Inserts a group without members and without an entry in the search index.
  static func insert(_ content: Content, by person: GlobalID, in write: DatedWrite) throws -> GlobalID {
    let group = PersonGroup(
      id: try KeySequence.next(.group, in: write.transaction),
      name: content.name,
      nameKey: NameOrder.key(of: content.name),
      description: content.description,
      hometown: content.hometown,
      sharing: content.sharing,
      createdBy: person,
      createdAt: write.now,
      picture: try content.picture.number(write.transaction),
      access: content.access
    )
    try write.transaction.run(PersonGroup.table.insert, group)
    return group.id
  }

  /// Deletes a group. It disappears immediately. Its memberships, which are unreachable then, are deleted in batches
  /// (`Membership.sweep`).
  static func delete(_ group: GlobalID, in transaction: WriteTransaction) throws {
    try transaction.run(delete, group)
    try transaction.run(EndedGroup.table.insert, EndedGroup(id: group))
    try SearchIndex.remove(group, in: transaction)
  }

  /// The error that `person` is not an admin of the group; nil if they are.
  static func adminError(
    of group: GlobalID?,
    toAdmin person: GlobalID,
    field: [String],
    from reader: Reader
  ) throws -> UserError? {
    guard let group, let standing = try standing(of: person, in: group, from: reader) else {
      return notFound(field)
    }
    if standing.role == .admin { return nil }
    return UserError(field: field, code: .notAllowed, message: "Only an admin of the group may do this.")
  }

  /// Nil if the group does not exist or `person` cannot see it: a group by invitation is visible only to its members
  /// and to the people it has invited (`GroupType.byKey`).
  static func standing(of person: GlobalID, in group: GlobalID, from reader: Reader) throws -> Standing? {
    let found = try reader.first(of: standing, (group: group, person: person)) { row in
      Standing(
        access: GroupAccess(stored: row.int64(0)) ?? .byInvitation,
        role: row.optionalInt64(1).flatMap(GroupRole.init(stored:))
      )
    }
    guard let found, found.access != .byInvitation || found.role != nil else { return nil }
    return found
  }

  /// Whether `person` is a member of the group, is invited to it or has asked to join it.
  static func isListed(_ group: GlobalID, by person: GlobalID, from reader: Reader) throws -> Bool {
    guard let standing = try standing(of: person, in: group, from: reader) else { return false }
    if standing.role != nil { return true }
    return try GroupJoinRequest.sharing(of: person, in: group, from: reader) != nil
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "No group has this id.")
  }
}
