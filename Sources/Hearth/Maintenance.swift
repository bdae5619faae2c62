import Storage

/// What an operator does to a data directory from outside.
package enum Maintenance {
  package static func backup(directory: String, to file: String) throws {
    try UnusableData.naming(DataDirectory.databasePath(in: directory)) { path throws(DatabaseError) in
      try Database.backup(from: path, to: file)
    }
  }

  /// One sentence for each fault, none when the data is sound.
  package static func faults(directory: String) throws -> [String] {
    try UnusableData.naming(DataDirectory.databasePath(in: directory)) { path throws(DatabaseError) in
      try Database.integrityCheck(of: path)
    }
  }
}
