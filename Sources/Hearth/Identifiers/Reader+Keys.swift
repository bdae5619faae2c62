import Storage

extension Reader {
  /// The key in the first column of the first row; nil when there is no row.
  func key<Parameters>(of sql: SQL<Parameters>, _ parameters: Parameters) throws(DatabaseError) -> GlobalID? {
    try first(of: sql, parameters) { row in GlobalID(rawValue: row.int64(0)) }
  }

  /// The keys in the first column of all rows.
  func keys<Parameters>(of sql: SQL<Parameters>, _ parameters: Parameters) throws(DatabaseError) -> [GlobalID] {
    try all(of: sql, parameters) { row in GlobalID(rawValue: row.int64(0)) }
  }
}
