import Storage

/// Checks that all balances are the sums of the entries they are kept from.
enum PointLedgerCheck {
  /// The balances of children, of adults and of contracts. The statements read all entries.
  static let wrongChildren = SQL<Void>(
    """
    SELECT c.id, c.points, c.achievement_points, coalesce(e.points, 0), coalesce(e.earned, 0) FROM child AS c \
    LEFT JOIN \(sums(by: "member_id")) ON e.family_id = c.family_id AND e.member_id = c.id \
    WHERE c.points <> coalesce(e.points, 0) OR c.achievement_points <> coalesce(e.earned, 0)
    """
  )
  static let wrongAdults = SQL<Void>(
    """
    SELECT a.member_id, coalesce(b.points, 0), coalesce(b.achievement_points, 0), coalesce(e.points, 0), \
    coalesce(e.earned, 0) FROM (SELECT family_id, member_id FROM point_balance UNION \
    SELECT family_id, member_id FROM point_entry WHERE \(Kind.person.isKind(of: "member_id"))) AS a \
    LEFT JOIN point_balance AS b ON b.family_id = a.family_id AND b.member_id = a.member_id \
    LEFT JOIN \(sums(by: "member_id")) ON e.family_id = a.family_id AND e.member_id = a.member_id \
    WHERE coalesce(b.points, 0) <> coalesce(e.points, 0) \
    OR coalesce(b.achievement_points, 0) <> coalesce(e.earned, 0)
    """
  )
  static let wrongContracts = SQL<Void>(
    """
    SELECT k.id, k.points, 0, coalesce(e.counted, 0), 0 FROM contract AS k \
    LEFT JOIN \(sums(by: "contract_id")) ON e.family_id = k.family_id AND e.contract_id = k.id \
    WHERE k.points <> coalesce(e.counted, 0)
    """
  )

  /// The sums of all entries, of those that were earned, and of those that count for a contract.
  private static func sums(by key: String) -> SQLFragment<Void> {
    """
    (SELECT family_id, \(sql: key), CAST(sum(points) AS bigint) AS points, \
    CAST(sum(CASE WHEN kind <= \(PointEntryKind.correction) THEN points ELSE 0 END) AS bigint) AS earned, \
    CAST(sum(CASE WHEN kind <= \(PointEntryKind.carryOver) THEN points ELSE 0 END) AS bigint) AS counted \
    FROM point_entry GROUP BY family_id, \(sql: key)) AS e
    """
  }

  /// Returns one sentence for each fault.
  static func faults(_ reader: Reader) throws(DatabaseError) -> [String] {
    defer { reader.endRead() }
    var faults: [String] = []
    for (name, statement) in [("Child", wrongChildren), ("Adult", wrongAdults), ("Contract", wrongContracts)] {
      try reader.forEachRow(of: statement, ()) { row in
        let (kept, due) = (
          Self.text(points: row.int64(1), earned: row.int64(2)),
          Self.text(points: row.int64(3), earned: row.int64(4))
        )
        faults.append("\(name) \(row.int64(0)) has \(kept), but its entries come to \(due).")
      }
    }
    return faults
  }

  private static func text(points: Int64, earned: Int64) -> String {
    earned == 0 ? "\(points) points" : "\(points) points and \(earned) of all time"
  }
}
