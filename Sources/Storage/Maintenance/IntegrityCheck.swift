/// Reads an entire database file and reports its faults.
enum IntegrityCheck {
  /// One sentence for each fault; empty for a sound database. Faults are a missing database, a missing, damaged or
  /// foreign write-ahead log, damaged pages, indexes that miss rows, values that violate a constraint, references to
  /// missing rows, and a version that the program does not support.
  /// - Parameter supported: the newest version that it does.
  static func faults(in path: String, supported: Int) throws(DatabaseError) -> [String] {
    var faults: [String] = []
    let lastUse = LastUse(of: path)
    do throws(DatabaseError) { try lastUse.requireOwnFiles() } catch { return [error.message] }
    if let loss = lastUse.loss { faults.append(loss) }
    do throws(DatabaseError) {
      let connection = try Connection(path: path, mode: .read)
      let version = try connection.int64(of: "PRAGMA user_version")
      if version > supported { faults.append(DatabaseError.newerDatabase(version, supported: supported).message) }
      try run("integrity_check", on: connection, faults: &faults)
      try connection.forEachRow(of: "PRAGMA foreign_key_check") { row in
        faults.append("Row \(row.int64(1)) of \(row.string(0)) refers to a missing row of \(row.string(2)).")
      }
    } catch {
      // Some damage stops the check itself and is then its finding.
      guard error.code == .corrupt else { throw error }
      faults.append(error.message)
    }
    return faults
  }

  /// Reads all pages. Returns at most ten sentences; empty if no fault was found.
  ///
  /// - Parameter comparesIndexes: whether indexes are compared with their tables, which takes three times as long.
  static func brokenPages(
    in connection: Connection,
    comparingIndexes comparesIndexes: Bool = false
  ) throws(DatabaseError) -> [String] {
    var faults: [String] = []
    do throws(DatabaseError) {
      try run(comparesIndexes ? "integrity_check(10)" : "quick_check(10)", on: connection, faults: &faults)
    } catch {
      guard error.code == .corrupt else { throw error }
      faults.append(error.message)
    }
    return faults
  }

  /// Appends what a check of SQLite finds.
  private static func run(
    _ check: String,
    on connection: Connection,
    faults: inout [String]
  ) throws(DatabaseError) {
    try connection.forEachRow(of: "PRAGMA \(check)") { row in
      let line = row.string(0)
      if line != "ok" { faults.append(line) }
    }
  }
}
