import Storage

/// A row of `parent_removal`: an open request to remove a parent from a family. A family has at most one.
struct ParentRemovalRow: StoredRow {
  var family: GlobalID
  var id: GlobalID
  var person: GlobalID
  var requester: GlobalID
  var requestedAt: Timestamp
  var effectiveAt: Timestamp

  static let table = Table<ParentRemovalRow>(
    "parent_removal",
    [
      Column("family_id", \.family),
      Column("id", \.id),
      Column("person_id", \.person),
      Column("requested_by", \.requester),
      Column("requested_at", \.requestedAt),
      Column("effective_at", \.effectiveAt),
    ]
  )

  static let ofFamily = SQL<GlobalID>(
    "SELECT id, person_id, requested_by FROM parent_removal WHERE family_id = \(\.self)"
  )
  static let delete = SQL<GlobalID>("DELETE FROM parent_removal WHERE family_id = \(\.self)")
  static let deleteOfPerson = SQL<(family: GlobalID, person: GlobalID)>(
    """
    DELETE FROM parent_removal WHERE family_id = \(\.family) \
    AND (person_id = \(\.person) OR requested_by = \(\.person))
    """
  )
  static let due = SQL<(now: Timestamp, limit: Int64)>(
    """
    SELECT family_id, person_id, requested_by FROM parent_removal \(index: "parent_removal_by_time") \
    WHERE effective_at <= \(\.now) ORDER BY effective_at LIMIT \(\.limit)
    """
  )
  static let next = SQL<Timestamp>(
    """
    SELECT effective_at FROM parent_removal \(index: "parent_removal_by_time") WHERE effective_at > \(\.self) \
    ORDER BY effective_at LIMIT 1
    """
  )
  static let earliest = SQL<Void>(
    """
    SELECT effective_at FROM parent_removal \(index: "parent_removal_by_time") WHERE effective_at > 0 \
    ORDER BY effective_at LIMIT 1
    """
  )

  /// Those that were requested between two times, and take effect between the first of them and a third.
  static let requestedBetween = SQL<(from: Timestamp, until: Timestamp, latest: Timestamp)>(
    """
    SELECT family_id, requested_at, effective_at FROM parent_removal \(index: "parent_removal_by_time") \
    WHERE effective_at >= \(\.from) AND effective_at <= \(\.latest) \
    AND requested_at >= \(\.from) AND requested_at <= \(\.until)
    """
  )
  static let move = SQL<(family: GlobalID, requestedAt: Timestamp, effectiveAt: Timestamp)>(
    """
    UPDATE parent_removal SET requested_at = \(\.requestedAt), effective_at = \(\.effectiveAt) \
    WHERE family_id = \(\.family)
    """
  )

  /// The longest waiting period that can be configured, in milliseconds.
  private static let longestPeriod: Int64 = 90 * Milliseconds.day

  static let deadlines = MovableDeadlines(lease: ParentRemoval.lease) { move, write in
    let latest = Timestamp(move.setUntil + longestPeriod)
    let period = (from: Timestamp(move.setFrom), until: Timestamp(move.setUntil), latest: latest)
    let found = try write.reader.all(of: requestedBetween, period) { row in
      (family: row.key(0), requestedAt: row.int64(1), effectiveAt: row.int64(2))
    }
    for removal in found {
      let requestedAt = Timestamp(removal.requestedAt + move.length)
      let effectiveAt = Timestamp(removal.effectiveAt + move.length)
      let family = removal.family
      let moved = (family: family, requestedAt: requestedAt, effectiveAt: effectiveAt)
      try write.transaction.run(ParentRemovalRow.move, moved)
      write.inFamily(family).record(.familyChanged)
    }
    return found.count
  }

  struct Found: Sendable {
    let key: GlobalID
    let person: GlobalID
    let requester: GlobalID
  }

  static func find(of family: GlobalID, from reader: Reader) throws -> Found? {
    try reader.first(of: ofFamily, family) { row in
      Found(
        key: row.key(0),
        person: row.key(1),
        requester: row.key(2)
      )
    }
  }

  /// While a removal is open, neither side can change the members of the family.
  static func requireNone(of family: GlobalID, field: [String], from reader: Reader) throws {
    guard try find(of: family, from: reader) != nil else { return }
    let message: UserError.Message =
      "The removal of a parent is open in this family: try again after it has ended."
    throw RejectedInput(field, code: .conflict, reason: .parentRemovalOpen, message: message)
  }

  /// Ends the open removal of a family without effect.
  static func end(_ removal: Found, in write: FamilyWrite) throws {
    try write.transaction.run(delete, write.family)
    let ended = EndedParentRemoval(requester: removal.requester, person: removal.person, endedAt: write.now)
    try write.transaction.run(EndedParentRemoval.record, ended)
  }
}
