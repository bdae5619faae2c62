import Storage

/// Inserts the entries of the ledger. No other code changes points: triggers of `point_entry` keep the columns `points`
/// of `child`, `contract` and `point_balance`, and `achievement_points`. Only when a family joins another, the entries
/// of its removed children are deleted and their points set to 0.
enum PointLedger {
  /// What counts for a member: the sum of all entries, and the current contract. Adults have none.
  struct Standing: Sendable {
    let points: Int64
    let contract: GlobalID?
  }

  static let ofChild = SQL<(family: GlobalID, child: GlobalID)>(
    """
    SELECT points, contract_id FROM child \
    WHERE family_id = \(\.family) AND id = \(\.child) AND removed_at IS NULL
    """
  )
  static let ofAdult = SQL<(family: GlobalID, adult: GlobalID)>(
    """
    SELECT coalesce(b.points, 0) FROM person AS p \
    LEFT JOIN point_balance AS b ON b.family_id = p.family_id AND b.member_id = p.id \
    WHERE p.id = \(\.adult) AND p.family_id = \(\.family) AND p.deactivated_at IS NULL
    """
  )

  /// The standing of a member of the family. Nil if it has no such member.
  static func standing(_ member: GlobalID, of family: GlobalID, from reader: Reader) throws -> Standing? {
    guard member.kind == .child else {
      return try reader.first(of: ofAdult, (family: family, adult: member)) { row in
        Standing(points: row.int64(0), contract: nil)
      }
    }
    return try reader.first(of: ofChild, (family: family, child: member)) { row in
      Standing(points: row.int64(0), contract: row.optionalKey(1))
    }
  }

  /// Inserts an entry with a new key, which it returns.
  @discardableResult
  static func record(_ entry: PointEntry, in transaction: WriteTransaction) throws -> GlobalID {
    var entry = entry
    entry.id = try KeySequence.next(.pointEntry, in: transaction)
    try insert(entry, in: transaction)
    return entry.id
  }

  /// Inserts an entry whose key the caller has allocated.
  static func insert(_ entry: PointEntry, in transaction: WriteTransaction) throws {
    try transaction.run(PointEntry.table.insert, entry)
  }
}
