import Storage

/// The families of members.
enum MemberFamilies {
  static let stored = SQL<[Int64]>(
    """
    SELECT k.slot, p.family_id FROM \(table: \.self) AS k \(join: .asWritten) person AS p ON p.id = k.value UNION ALL \
    SELECT k.slot, c.family_id FROM \(table: \.self) AS k \(join: .asWritten) child AS c ON c.id = k.value
    """
  )

  /// The members that exist, adults and children, with their families, in the order in which they are given.
  static func read(
    of members: [GlobalID],
    from reader: Reader
  ) throws -> [(key: GlobalID, family: GlobalID)] {
    let found = try reader.all(of: stored, members.map(\.rawValue)) { row in
      (slot: Int(row.int64(0)), family: row.key(1))
    }
    return found.sorted { $0.slot < $1.slot }.map { (key: members[$0.slot], family: $0.family) }
  }
}
