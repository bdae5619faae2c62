import Storage

/// A row of `contract`.
struct Contract: StoredRow {
  var family: GlobalID
  var child: GlobalID
  var id: GlobalID
  var description: String?
  var maxPoints: Int64
  /// The child's points since the contract began.
  var points: Int64 = 0
  /// Whether it is the child's current contract.
  var isActive = true
  var createdAt: Timestamp

  static let table = Table<Contract>(
    "contract",
    [
      Column("family_id", \.family),
      Column("child_id", \.child),
      Column("id", \.id),
      Column("description", \.description),
      Column("max_points", \.maxPoints),
      Column("points", \.points),
      Column("active", \.isActive),
      Column("created_at", \.createdAt),
    ]
  )
}

/// Identifies a row of `contract`.
typealias ContractKey = (family: GlobalID, contract: GlobalID)
