import Storage

/// The time zone in which a family's days begin.
enum FamilyTimeZone {
  static let ofFamily = SQL<GlobalID>("SELECT f.time_zone FROM \(rows: .family, of: \.self) AS f")

  static func name(of family: GlobalID, from reader: Reader) throws(DatabaseError) -> String? {
    try reader.first(of: ofFamily, family) { row in row.string(0) }
  }
}
