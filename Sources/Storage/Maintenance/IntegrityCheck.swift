/// Reads all of a file and says what is wrong with it.
enum IntegrityCheck {
  /// One sentence for each fault, none for a sound database: damaged pages, indexes that miss rows, values that break a
  /// constraint, and rows that refer to others that are not there.
  static func faults(in path: String) throws(DatabaseError) -> [String] {
    var faults: [String] = []
    do throws(DatabaseError) {
      let connection = try Connection(path: path, mode: .read, busyTimeout: 5_000)
      try connection.forEachRow(of: "PRAGMA integrity_check") { row in
        let line = row.string(0)
        if line != "ok" { faults.append(line) }
      }
      try connection.forEachRow(of: "PRAGMA foreign_key_check") { row in
        faults.append("Row \(row.int64(1)) of \(row.string(0)) refers to a row of \(row.string(2)) that is not there.")
      }
    } catch {
      // Some damage stops the check itself: then that is what it found.
      guard error.code == .corrupt else { throw error }
      faults.append(error.message)
    }
    return faults
  }
}
