import Storage

/// A row of `group_join_request`: a request to join a group whose access is `BY_REQUEST`. A request that was answered
/// or withdrawn is deleted.
struct GroupJoinRequest: StoredRow {
  typealias Addition = (id: GlobalID, group: GlobalID, person: GlobalID, now: Timestamp)

  var id: GlobalID
  var group: GlobalID
  var person: GlobalID
  /// What the person agreed to share when they sent the request.
  var sharing: Scopes
  var requestedAt: Timestamp

  static let table = Table<GroupJoinRequest>(
    "group_join_request",
    [
      Column("id", \.id),
      Column("group_id", \.group),
      Column("person_id", \.person),
      Column("sharing", \.sharing),
      Column("requested_at", \.requestedAt),
    ]
  )

  /// The maximum number of open requests per person.
  static let maximumOfPerson: Int64 = 100
  /// The number of admins notified of a request, the longest-serving first. The number of admins is not limited.
  static let maximumNotified: Int64 = 50

  /// The person agrees to share what the group shares at this time.
  static let insert: SQL<Addition> = GroupJoinRequest.table.insert(
    [
      .setting(\.id, to: "\(\.id)"),
      .setting(\.group, to: "g.id"),
      .setting(\.person, to: "\(\.person)"),
      .setting(\.sharing, to: "g.sharing"),
      .setting(\.requestedAt, to: "\(\.now)"),
    ],
    from: "person_group AS g WHERE g.id = \(\.group)"
  )
  /// A repeated request agrees to what the group shares at this time.
  static let renew = SQL<GroupMemberKey>(
    """
    UPDATE group_join_request SET sharing = (SELECT g.sharing FROM person_group AS g WHERE g.id = \(\.group)) \
    WHERE group_id = \(\.group) AND person_id = \(\.person)
    """
  )
  static let endAgreements = SQL<GlobalID>(Membership.endingAgreements(in: "group_join_request"))
  static let endAllAgreements = SQL<GlobalID>(
    "UPDATE group_join_request SET sharing = 0 WHERE group_id = \(\.self) AND sharing <> 0"
  )
  static let countOfPerson = SQL<GlobalID>("SELECT count(*) FROM group_join_request WHERE person_id = \(\.self)")
  static let byKey = SQL<GlobalID>("SELECT group_id, person_id, sharing FROM group_join_request WHERE id = \(\.self)")
  static let ofPair = SQL<GroupMemberKey>(
    "SELECT sharing FROM group_join_request WHERE group_id = \(\.group) AND person_id = \(\.person)"
  )
  static let delete = SQL<GroupMemberKey>(
    "DELETE FROM group_join_request WHERE group_id = \(\.group) AND person_id = \(\.person)"
  )
  static let deleteOfPerson = SQL<GlobalID>("DELETE FROM group_join_request WHERE person_id = \(\.self)")
  static let deleteOfGroup = SQL<GlobalID>("DELETE FROM group_join_request WHERE group_id = \(\.self)")
  static let admins = SQL<GlobalID>(
    """
    SELECT person_id FROM group_member \(index: "group_member_by_role") \
    WHERE group_id = \(\.self) AND role = \(GroupRole.admin) \
    ORDER BY joined_at, person_id LIMIT \(sql: String(maximumNotified))
    """
  )
  /// Deletes requests to deleted groups.
  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM group_join_request WHERE id IN (\
    SELECT j.id FROM ended_group AS e \(join: .asWritten) group_join_request AS j ON j.group_id = e.id LIMIT \(\.limit))
    """
  )

  struct Found: Sendable {
    let group: GlobalID
    let person: GlobalID
    /// What the person has agreed to share, when they sent the request.
    let sharing: Scopes
  }

  /// Sends a request to join the group to its admins. An open request of the person is renewed instead.
  static func ask(_ person: GlobalID, to group: GlobalID, _ limits: RateLimits, in write: DatedWrite) throws {
    try write.transaction.run(renew, (group: group, person: person))
    write.record(.groupChanged, subject: group, for: person)
    guard write.transaction.changedRows == 0 else { return }
    let count = try write.reader.number(of: countOfPerson, person)
    guard count ?? 0 < maximumOfPerson else {
      let message: UserError.Message =
        "You have \(maximum: maximumOfPerson) open requests to join groups: withdraw some first."
      throw RejectedInput(["groupId"], code: .notAllowed, reason: .tooManyRequests, message: message)
    }
    // Withdrawing and repeating a request would notify the admins each time.
    try limits.takeRequest(from: person, to: group, in: write)
    let key = try KeySequence.next(.groupJoinRequest, in: write.transaction)
    try write.transaction.run(insert, (id: key, group: group, person: person, now: write.now))
    try Notifications.notify(
      write.reader.keys(of: admins, group),
      kind: .groupJoinRequestNotification,
      about: key,
      by: person,
      in: write
    )
  }

  /// The request, if `viewer` is an admin of its group.
  static func find(_ key: GlobalID, byAdmin viewer: GlobalID, from reader: Reader) throws -> Found? {
    let found = try reader.first(of: byKey, key) { row in
      Found(
        group: row.key(0),
        person: row.key(1),
        sharing: Scopes(bits: row.int64(2))
      )
    }
    guard let found,
      try PersonGroup.standing(of: viewer, in: found.group, from: reader)?.role == .admin
    else { return nil }
    return found
  }

  /// What `person` has agreed to share in their open request; nil if they have none.
  static func sharing(of person: GlobalID, in group: GlobalID, from reader: Reader) throws -> Scopes? {
    try reader.first(of: ofPair, (group: group, person: person)) { row in Scopes(bits: row.int64(0)) }
  }

  /// Returns false if the person has no open request.
  @discardableResult
  static func delete(_ person: GlobalID, to group: GlobalID, in write: DatedWrite) throws -> Bool {
    try write.transaction.run(delete, (group: group, person: person))
    guard write.transaction.changedRows > 0 else { return false }
    write.record(.groupChanged, subject: group, for: person)
    return true
  }

  /// Makes the person a member, who shares what they agreed to in the request, and notifies them. An exclusion of the
  /// person, who may be invited, ends.
  static func accept(_ request: Found, by admin: GlobalID, in write: DatedWrite) throws {
    try delete(request.person, to: request.group, in: write)
    try GroupExclusion.delete(request.person, from: request.group, in: write.transaction)
    try Membership.insert(request.person, as: .member, of: request.group, agreedTo: request.sharing, in: write)
    try Notifications.notify(
      request.person,
      kind: .groupJoinAcceptedNotification,
      about: request.group,
      by: admin,
      in: write
    )
  }
}
