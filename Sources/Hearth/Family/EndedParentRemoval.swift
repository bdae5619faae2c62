import Storage

/// A row of `ended_parent_removal`: a request that ended without effect. It is kept as long as the same person cannot
/// request the same removal again.
struct EndedParentRemoval: Sendable {
  var requester: GlobalID
  var person: GlobalID
  var endedAt: Timestamp

  static let table = Table<EndedParentRemoval>(
    "ended_parent_removal",
    [
      Column("requested_by", \.requester),
      Column("person_id", \.person),
      Column("ended_at", \.endedAt),
    ]
  )
  /// The length of this period.
  static let pause = Sweeper.retention

  static let record = EndedParentRemoval.table.insert(
    then: "ON CONFLICT (requested_by, person_id) DO UPDATE SET ended_at = \(\.endedAt)"
  )
  static let endedAt = SQL<(requester: GlobalID, person: GlobalID)>(
    """
    SELECT ended_at FROM ended_parent_removal WHERE requested_by = \(\.requester) AND person_id = \(\.person)
    """
  )
  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM ended_parent_removal WHERE (requested_by, person_id) IN (\
    SELECT requested_by, person_id FROM ended_parent_removal \(index: "ended_parent_removal_by_age") \
    WHERE ended_at < \(\.before) ORDER BY ended_at LIMIT \(\.limit))
    """
  )

  /// The number of days until `requester` can request the removal of `person` again; nil if they can now.
  static func daysLeft(
    of requester: GlobalID,
    for person: GlobalID,
    at now: Timestamp,
    from reader: Reader
  ) throws -> Int64? {
    let ended = try reader.number(of: endedAt, (requester: requester, person: person))
    return ended.flatMap { Wait(length: pause).daysLeft(since: $0, at: now) }
  }
}
