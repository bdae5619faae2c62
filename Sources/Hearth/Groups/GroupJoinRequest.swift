import Storage

/// Requests to join a group whose access is `BY_REQUEST`. A request that was answered or withdrawn is deleted.
enum GroupJoinRequest {
  /// How many open requests a person can have.
  static let maximumOfPerson: Int64 = 100
  /// How many admins are notified of a request, the longest-standing first. A group can have any number of them.
  static let maximumNotified: Int64 = 50

  static let insert = SQL(
    """
    INSERT INTO group_join_request (id, group_id, person_id, sharing, requested_at) \
    SELECT ?1, g.id, ?3, g.sharing, ?4 FROM person_group AS g WHERE g.id = ?2
    """
  )
  /// A person who asks again agrees to what the group shares now.
  static let renew = SQL(
    """
    UPDATE group_join_request SET sharing = (SELECT g.sharing FROM person_group AS g WHERE g.id = ?1) \
    WHERE group_id = ?1 AND person_id = ?2
    """
  )
  static let countOfPerson = SQL("SELECT count(*) FROM group_join_request WHERE person_id = ?1")
  static let byKey = SQL("SELECT group_id, person_id, sharing FROM group_join_request WHERE id = ?1")
  static let ofPair = SQL("SELECT sharing FROM group_join_request WHERE group_id = ?1 AND person_id = ?2")
  static let delete = SQL("DELETE FROM group_join_request WHERE group_id = ?1 AND person_id = ?2")
  static let deleteOfPerson = SQL("DELETE FROM group_join_request WHERE person_id = ?1")
  static let deleteOfGroup = SQL("DELETE FROM group_join_request WHERE group_id = ?1")
  static let admins = SQL(
    """
    SELECT person_id FROM group_member INDEXED BY group_member_by_role WHERE group_id = ?1 AND role = 0 \
    ORDER BY joined_at, person_id LIMIT \(maximumNotified)
    """
  )
  /// Requests to groups that were deleted. Parameter 2 is the most that one run deletes.
  static let sweep = SQL(
    """
    DELETE FROM group_join_request WHERE id IN (\
    SELECT j.id FROM ended_group AS e CROSS JOIN group_join_request AS j ON j.group_id = e.id LIMIT ?2)
    """
  )

  struct Found: Sendable {
    let group: GlobalID
    let person: GlobalID
    /// What the person agreed to share when they asked.
    let sharing: Int64
  }

  /// Asks the admins to let `person` into the group. An open request stays the only one.
  static func ask(
    _ person: GlobalID,
    to group: GlobalID,
    _ limits: RateLimits,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    try transaction.run(renew, group.rawValue, person.rawValue)
    guard transaction.changedRows == 0 else { return }
    let counting = try transaction.statement(countOfPerson)
    try counting.bind(1, person.rawValue)
    guard try counting.first({ row in row.int64(0) }) ?? 0 < maximumOfPerson else {
      let message = "You have \(maximumOfPerson) open requests to join groups: withdraw some first."
      throw Refused(["groupId"], .notAllowed, message)
    }
    // A request that is withdrawn at once can be made again, and each one notifies the admins.
    try limits.takeAsking(person, group, at: now)
    let key = try KeySequence.next(.groupJoinRequest, transaction)
    try transaction.run(insert, key.rawValue, group.rawValue, person.rawValue, now)
    var recipients: [GlobalID] = []
    let finding = try transaction.statement(admins)
    try finding.bind(1, group.rawValue)
    try finding.forEachRow { row in recipients.append(GlobalID(rawValue: row.int64(0))) }
    for admin in recipients {
      try Notifications.tell(admin, .groupJoinRequestNotification, of: key, by: person, at: now, transaction)
    }
  }

  /// The request, if `viewer` is an admin of its group.
  static func find(_ key: GlobalID?, byAdmin viewer: GlobalID, _ transaction: WriteTransaction) throws -> Found? {
    guard let key else { return nil }
    let statement = try transaction.statement(byKey)
    try statement.bind(1, key.rawValue)
    let found = try statement.first { row in
      Found(
        group: GlobalID(rawValue: row.int64(0)),
        person: GlobalID(rawValue: row.int64(1)),
        sharing: row.int64(2)
      )
    }
    guard let found,
      try GroupRow.standing(of: viewer, in: found.group, transaction)?.role == .admin
    else { return nil }
    return found
  }

  /// What `person` agreed to share with their open request; nil if they have none.
  static func sharing(of person: GlobalID, in group: GlobalID, _ transaction: WriteTransaction) throws -> Int64? {
    let statement = try transaction.statement(ofPair)
    try statement.bind(1, group.rawValue)
    try statement.bind(2, person.rawValue)
    return try statement.first { row in row.int64(0) }
  }

  /// Makes the person a member, who shares what they agreed to when they asked, and notifies them.
  static func accept(
    _ request: Found,
    by admin: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    try transaction.run(delete, request.group.rawValue, request.person.rawValue)
    try Membership.insert(
      request.person,
      .member,
      in: request.group,
      agreedTo: request.sharing,
      at: now,
      transaction
    )
    try Notifications.tell(
      request.person,
      .groupJoinAcceptedNotification,
      of: request.group,
      by: admin,
      at: now,
      transaction
    )
  }
}
