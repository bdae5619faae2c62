/// Tables of one engine whose rows are read in one snapshot.
package protocol RowReading: AnyObject {
  func tables() throws -> [CopiedTable]

  /// Calls `body` with all rows of a table, in no particular order.
  ///
  /// - Parameter rows: how many are in memory at the same time.
  func forEachBatch(of table: CopiedTable, rows: Int, _ body: (RowBatch) throws -> Void) throws
}

extension RowReading {
  package func forEachBatch(of table: CopiedTable, _ body: (RowBatch) throws -> Void) throws {
    try forEachBatch(of: table, rows: 1_000, body)
  }

  package func table(named name: String) throws -> CopiedTable {
    guard let table = try tables().first(where: { $0.name == name }) else {
      throw CopyFailure("There is no table \(name).")
    }
    return table
  }
}
