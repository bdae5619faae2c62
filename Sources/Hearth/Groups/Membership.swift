import Storage

/// Who is in a group, or invited to it, as it is written. Triggers count the members in the same write.
enum Membership {
  /// How many groups somebody can be in or be invited to: a look at what people share goes through them.
  static let maximumOfPerson: Int64 = 500

  static let role = SQL("SELECT role FROM group_member WHERE group_id = ?1 AND person_id = ?2")
  static let countOfPerson = SQL(
    """
    SELECT count(*) FROM group_member AS m INDEXED BY group_member_by_person \
    CROSS JOIN person_group AS g ON g.id = m.group_id WHERE m.person_id = ?1
    """
  )
  static let insert = SQL(
    """
    INSERT INTO group_member (group_id, person_id, id, role, name_key, invited_by, joined_at, sharing) \
    SELECT ?1, p.id, ?3, ?4, p.name_key, ?5, ?6, iif(?4 < 2, g.sharing & ifnull(?7, g.sharing), 0) \
    FROM person AS p CROSS JOIN person_group AS g WHERE p.id = ?2 AND g.id = ?1
    """
  )
  /// Who is in it or invited joins, and so agrees to what the group shares now.
  static let join = SQL(
    """
    UPDATE group_member SET role = min(role, 1), joined_at = ifnull(joined_at, ?3), \
    sharing = (SELECT g.sharing FROM person_group AS g WHERE g.id = ?1) WHERE group_id = ?1 AND person_id = ?2
    """
  )
  static let setRole = SQL("UPDATE group_member SET role = ?3 WHERE group_id = ?1 AND person_id = ?2")
  static let delete = SQL("DELETE FROM group_member WHERE group_id = ?1 AND person_id = ?2")
  /// An admin; where there is none, the longest-standing member.
  static let foremost = SQL(
    """
    SELECT person_id, role FROM group_member INDEXED BY group_member_by_role WHERE group_id = ?1 AND role < 2 \
    ORDER BY role, joined_at, person_id LIMIT 1
    """
  )
  static let otherAdmin = SQL(
    "SELECT 1 FROM group_member WHERE group_id = ?1 AND role = 0 AND person_id <> ?2 LIMIT 1"
  )
  static let groupsOfPerson = SQL(
    """
    SELECT g.id FROM group_member AS m INDEXED BY group_member_by_person \
    CROSS JOIN person_group AS g ON g.id = m.group_id WHERE m.person_id = ?1
    """
  )
  /// Of groups that were deleted. Parameter 2 is how many.
  static let sweep = SQL(
    """
    DELETE FROM group_member WHERE id IN (\
    SELECT m.id FROM ended_group AS e CROSS JOIN group_member AS m ON m.group_id = e.id LIMIT ?2)
    """
  )
  static let sweepGroups = SQL(
    """
    DELETE FROM ended_group WHERE id IN (SELECT e.id FROM ended_group AS e \
    WHERE NOT EXISTS (SELECT 1 FROM group_member AS m WHERE m.group_id = e.id) \
    AND NOT EXISTS (SELECT 1 FROM group_join_request AS j WHERE j.group_id = e.id) \
    AND NOT EXISTS (SELECT 1 FROM group_exclusion AS x WHERE x.group_id = e.id) LIMIT ?2)
    """
  )

  static func role(of person: GlobalID, in group: GlobalID, _ transaction: WriteTransaction) throws -> GroupRole? {
    let statement = try transaction.statement(role)
    try statement.bind(1, group.rawValue)
    try statement.bind(2, person.rawValue)
    return try statement.first { row in GroupRole(stored: row.int64(0)) } ?? nil
  }

  static func hasRoom(for person: GlobalID, _ transaction: WriteTransaction) throws -> Bool {
    let statement = try transaction.statement(countOfPerson)
    try statement.bind(1, person.rawValue)
    return try statement.first { row in row.int64(0) } ?? 0 < maximumOfPerson
  }

  /// Adds a person who is neither a member nor invited. `inviter` is for invitations. `sharing` are the scopes that the
  /// person has agreed to share; without it, those that the group shares now.
  static func insert(
    _ person: GlobalID,
    _ role: GroupRole,
    in group: GlobalID,
    invitedBy inviter: GlobalID? = nil,
    agreedTo sharing: Int64? = nil,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    let statement = try transaction.statement(insert)
    try statement.bind(1, group.rawValue)
    try statement.bind(2, person.rawValue)
    try statement.bind(3, try KeySequence.next(.groupMember, transaction).rawValue)
    try statement.bind(4, role.stored)
    try statement.bind(5, inviter?.rawValue)
    try statement.bind(6, role == .invited ? nil : now)
    try statement.bind(7, sharing)
    try statement.run()
  }

  /// Takes somebody out of a group. A group whose last admin goes gets its longest-standing member for one, and a group
  /// whose last member goes is gone as well. Gives false where they were neither in it nor invited.
  @discardableResult
  static func remove(_ person: GlobalID, from group: GlobalID, _ transaction: WriteTransaction) throws -> Bool {
    try transaction.run(delete, group.rawValue, person.rawValue)
    guard transaction.changedRows > 0 else { return false }
    let finding = try transaction.statement(foremost)
    try finding.bind(1, group.rawValue)
    let heir = try finding.first { row in (person: row.int64(0), role: GroupRole(stored: row.int64(1))) }
    guard let heir else {
      try GroupRow.delete(group, transaction)
      return true
    }
    if heir.role != .admin {
      try transaction.run(setRole, group.rawValue, heir.person, GroupRole.admin.stored)
    }
    return true
  }

  /// Removes a person whose account ends from all groups, and their requests to join others.
  static func removeEverywhere(_ person: GlobalID, _ transaction: WriteTransaction) throws {
    var groups: [GlobalID] = []
    let finding = try transaction.statement(groupsOfPerson)
    try finding.bind(1, person.rawValue)
    try finding.forEachRow { row in groups.append(GlobalID(rawValue: row.int64(0))) }
    for group in groups { try remove(person, from: group, transaction) }
    try transaction.run(GroupJoinRequest.deleteOfPerson, person.rawValue)
  }

  static func full(_ field: [String]) -> UserError {
    UserError(field: field, code: .notAllowed, message: "Nobody can be in more than \(maximumOfPerson) groups.")
  }
}
