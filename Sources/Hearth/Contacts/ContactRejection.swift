import Storage

/// A row of `contact_rejection`: a person has rejected a request. Its sender cannot send them another for 30 days,
/// unless the person sends one first.
struct ContactRejection: StoredRow {
  typealias Key = (from: GlobalID, to: GlobalID)

  /// The sender of the rejected request.
  var from: GlobalID
  var to: GlobalID
  var rejectedAt: Timestamp

  static let table = Table<ContactRejection>(
    "contact_rejection",
    [
      Column("from_id", \.from),
      Column("to_id", \.to),
      Column("rejected_at", \.rejectedAt),
    ]
  )

  /// In milliseconds. The sweeper deletes older ones.
  static let lifetime = Sweeper.retention

  static let insert: SQL<(request: GlobalID, to: GlobalID, now: Timestamp)> = ContactRejection.table.insert(
    [
      .setting(\.from, to: "from_id"),
      .setting(\.to, to: "to_id"),
      .setting(\.rejectedAt, to: "\(\.now)"),
    ],
    from: """
      contact_request WHERE id = \(\.request) AND to_id = \(\.to) \
      ON CONFLICT (from_id, to_id) DO UPDATE SET rejected_at = \(\.now)
      """
  )
  static let find = SQL<Key>(
    "SELECT rejected_at FROM contact_rejection WHERE from_id = \(\.from) AND to_id = \(\.to)"
  )
  static let delete = SQL<Key>("DELETE FROM contact_rejection WHERE from_id = \(\.from) AND to_id = \(\.to)")
  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM contact_rejection WHERE (from_id, to_id) IN (SELECT from_id, to_id FROM contact_rejection \
    \(index: "contact_rejection_by_age") WHERE rejected_at < \(\.before) ORDER BY rejected_at LIMIT \(\.limit))
    """
  )

  /// The number of days until `asker` can send `person` a request again; nil if they can now.
  static func daysLeft(
    of asker: GlobalID,
    for person: GlobalID,
    at now: Timestamp,
    from reader: Reader
  ) throws -> Int64? {
    let rejectedAt = try reader.number(of: find, (from: asker, to: person))
    return rejectedAt.flatMap { Wait(length: lifetime).daysLeft(since: $0, at: now) }
  }
}
