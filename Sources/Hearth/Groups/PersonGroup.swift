import Storage

/// A row of `person_group`.
struct PersonGroup: StoredRow {
  var id: GlobalID
  var name: String
  /// The name as a sort key: see `NameOrder`.
  var nameKey: String
  var description: String?
  var hometown: String?
  /// What its members share with each other.
  var sharing: Scopes
  /// Does not include invited people. Maintained by triggers.
  var memberCount: Int64 = 0
  var createdBy: GlobalID
  var createdAt: Timestamp
  var picture: Int64?
  var access: GroupAccess
  /// Maintained by triggers.
  var joinRequestCount: Int64 = 0

  static let table = Table<PersonGroup>(
    "person_group",
    [
      Column("id", \.id),
      Column("name", \.name),
      Column("name_key", \.nameKey),
      Column("description", \.description),
      Column("hometown", \.hometown),
      Column("sharing", \.sharing),
      Column("member_count", \.memberCount),
      Column("created_by", \.createdBy),
      Column("created_at", \.createdAt),
      Column("picture", \.picture),
      Column("access", \.access),
      Column("join_request_count", \.joinRequestCount),
    ]
  )
}
