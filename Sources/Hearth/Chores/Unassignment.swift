import Storage

/// Unassigns a member who leaves a family from its chores: from the first of them in the write in which the member
/// leaves, and from the rest in later writes, so that other writes do not wait long.
///
/// Until the last of these writes, chores can name a member who has left. Nothing else depends on that: reminders,
/// copies and permissions are those of present members.
enum Unassignment {
  /// The number of chores in one write: about 5 ms on SQLite.
  static let maximumAtOnce: Int64 = 200
  /// The same on PostgreSQL, where each takes several round trips, for which the other writes wait.
  private static let maximumAtOnceWaiting: Int64 = 50

  private typealias Due = (family: GlobalID, member: GlobalID)

  static let insert = SQL<(family: GlobalID, member: GlobalID, now: Timestamp)>(
    """
    INSERT INTO departed_member (family_id, member_id, left_at) VALUES (\(\.family), \(\.member), \(\.now)) \
    ON CONFLICT (family_id, member_id) DO NOTHING
    """
  )
  static let delete = SQL<MemberKey>(
    "DELETE FROM departed_member WHERE family_id = \(\.family) AND member_id = \(\.member)"
  )
  static let due = SQL<(now: Timestamp, limit: Int64)>(
    """
    SELECT family_id, member_id FROM departed_member \(index: "departed_member_by_time") \
    WHERE left_at <= \(\.now) ORDER BY left_at LIMIT \(\.limit)
    """
  )
  static let next = SQL<Timestamp>(
    """
    SELECT left_at FROM departed_member \(index: "departed_member_by_time") WHERE left_at > \(\.self) \
    ORDER BY left_at LIMIT 1
    """
  )
  static let earliest = SQL<Void>(
    """
    SELECT left_at FROM departed_member \(index: "departed_member_by_time") WHERE left_at > 0 \
    ORDER BY left_at LIMIT 1
    """
  )

  /// - Parameter unassignments: the scheduler of `service`.
  static func begin(of member: GlobalID, unassignments: Scheduler, in write: FamilyWrite) throws {
    guard try !unassignPortion(of: member, in: write) else { return }
    try write.transaction.run(insert, (family: write.family, member: member, now: write.now))
    let now = write.now.milliseconds
    write.transaction.afterCommit { unassignments.schedule(at: now) }
  }

  /// Ends the unassignment of a member who returns to the family, and keeps what is left of the assignments.
  static func end(of member: GlobalID, in write: FamilyWrite) throws {
    try write.transaction.run(delete, (family: write.family, member: member))
  }

  /// Returns whether the member is assigned to no chore any more.
  private static func unassignPortion(of member: GlobalID, in write: FamilyWrite) throws -> Bool {
    let limit = write.transaction.waitsForRows ? maximumAtOnceWaiting : maximumAtOnce
    return try Assignees.unassign(member, atMost: limit, in: write) < limit
  }

  static let service = FeatureService("unassignments") { services in
    let failures = FailedAttempts(of: "The unassignment of a member", log: services.log)
    return Scheduler("unassignments", in: services.work, dueTimes: [earliest]) { write in
      let now = write.now.milliseconds
      let found: Due? = try failures.beginNext(at: now, of: \.member, in: write) { limit in
        try write.reader.all(of: due, (now: write.now, limit: limit)) { row in
          (family: row.key(0), member: row.key(1))
        }
      }
      guard let found else {
        return try [write.reader.number(of: next, write.now), failures.nextRetry(after: now)].compactMap(\.self).min()
      }
      let write = write.inFamily(found.family)
      if try unassignPortion(of: found.member, in: write) { try end(of: found.member, in: write) }
      return now
    }
  }
}

extension Services {
  /// The scheduler that unassigns members who have left their family.
  var unassignments: Scheduler { self[Unassignment.service] }
}
