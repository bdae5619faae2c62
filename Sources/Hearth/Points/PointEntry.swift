import Storage

/// Why the points of a member changed. Raw values are stored, and triggers of `point_entry` compare them, so they never
/// change.
enum PointEntryKind: String, StoredEnumeration {
  /// Points from before the ledger existed.
  case opening = "OPENING"
  case chore = "CHORE"
  case correction = "CORRECTION"
  /// Points of a fulfilled contract that count for the next one.
  case carryOver = "CARRY_OVER"
  /// The points that no longer count when a contract begins or ends.
  case closing = "CLOSING"
  case redemption = "REDEMPTION"
}

/// A row of `point_entry`: a change of a member's points. Only `PointLedger` inserts rows, and none ever changes.
struct PointEntry: StoredRow {
  var family: GlobalID
  /// A child, or an adult.
  var member: GlobalID
  /// `PointLedger.record` allocates it.
  var id = GlobalID(rawValue: 0)
  /// Negative if points are taken away.
  var points: Int64
  var kind: PointEntryKind
  /// The member who caused it. Nil if that was not recorded.
  var author: GlobalID?
  /// The reason for a correction, or the reward of a redemption.
  var reason: String?
  /// The chore for which the points were given.
  var chore: GlobalID?
  /// The contract for which the points count, or whose reward was redeemed.
  var contract: GlobalID?
  /// The level of the contract whose reward was redeemed.
  var level: Int64?
  /// The entry that is corrected.
  var corrected: GlobalID?
  var createdAt: Timestamp

  static let table = Table<PointEntry>(
    "point_entry",
    [
      Column("family_id", \.family),
      Column("member_id", \.member),
      Column("id", \.id),
      Column("points", \.points),
      Column("kind", \.kind),
      Column("author_id", \.author),
      Column("reason", \.reason),
      Column("chore_id", \.chore),
      Column("contract_id", \.contract),
      Column("level", \.level),
      Column("corrected_id", \.corrected),
      Column("created_at", \.createdAt),
    ]
  )
}
