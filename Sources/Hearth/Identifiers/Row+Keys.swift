import Storage

extension Row {
  /// The key in a column.
  func key(_ column: Int) -> GlobalID { GlobalID(rawValue: int64(column)) }

  /// The key in a column; nil for NULL.
  func optionalKey(_ column: Int) -> GlobalID? { optionalInt64(column).map(GlobalID.init(rawValue:)) }
}

extension Reader {
  /// The key in the first column of the first row; nil when there is no row.
  func key<Parameters>(of sql: SQL<Parameters>, _ parameters: Parameters) throws(DatabaseError) -> GlobalID? {
    try first(of: sql, parameters) { row in row.key(0) }
  }

  /// The keys in the first column of all rows.
  func keys<Parameters>(of sql: SQL<Parameters>, _ parameters: Parameters) throws(DatabaseError) -> [GlobalID] {
    try all(of: sql, parameters) { row in row.key(0) }
  }
}
