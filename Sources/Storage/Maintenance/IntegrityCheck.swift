/// Reads all of a file and says what is wrong with it.
enum IntegrityCheck {
  /// One sentence for each fault, none for a sound database: a missing write-ahead log, damaged pages, indexes that
  /// miss rows, values that break a constraint, and rows that refer to others that are not there.
  static func faults(in path: String) throws(DatabaseError) -> [String] {
    var faults: [String] = []
    if LastUse(of: path).hasLostLog {
      faults.append(
        "The write-ahead log \(path)-wal is missing, which the last server had not emptied: what was last stored is lost."
      )
    }
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

  /// Reads all pages, without comparing indexes with their tables: at most ten sentences, none where nothing was found.
  static func brokenPages(in connection: Connection) throws(DatabaseError) -> [String] {
    var faults: [String] = []
    do throws(DatabaseError) {
      try connection.forEachRow(of: "PRAGMA quick_check(10)") { row in
        let line = row.string(0)
        if line != "ok" { faults.append(line) }
      }
    } catch {
      guard error.code == .corrupt else { throw error }
      faults.append(error.message)
    }
    return faults
  }
}
