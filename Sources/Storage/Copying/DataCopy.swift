/// Copies all rows of one engine to another, and compares.
package enum DataCopy {
  /// Fails if the copies, read again, differ from what was read: by their number, or by a sum of the hashes of rows.
  ///
  /// - Parameter exceptions: tables that the caller fills.
  /// - Returns: the number of rows.
  package static func copy(
    from source: any RowReading,
    to target: any RowWriting,
    except exceptions: Set<String>
  ) throws -> Int {
    let tables = try target.tables()
    guard try source.tables() == tables else { throw CopyFailure("The tables of the two databases differ.") }
    var digests: [TableDigest] = []
    for table in tables {
      var digest = TableDigest()
      if !exceptions.contains(table.name) {
        try source.forEachBatch(of: table) { batch in
          digest.add(batch)
          try target.append(batch, to: table)
        }
      }
      digests.append(digest)
    }
    try target.complete()
    for (table, digest) in zip(tables, digests) where !exceptions.contains(table.name) {
      var found = TableDigest()
      try target.forEachBatch(of: table) { batch in found.add(batch) }
      guard found == digest else {
        throw CopyFailure(
          "The copy of the table \(table.name) differs: it has \(found.rows) rows of \(digest.rows), or other values."
        )
      }
    }
    return digests.reduce(0) { $0 + $1.rows }
  }
}

/// How many rows a table has, and the sum of their hashes, whatever their order is.
private struct TableDigest: Equatable {
  private(set) var rows = 0
  private var sum: UInt64 = 0

  mutating func add(_ batch: RowBatch) {
    for row in 0..<batch.count { sum &+= batch.hash(ofRow: row) }
    rows += batch.count
  }
}
