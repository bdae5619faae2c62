import Storage

/// What an operator does to a data directory from outside.
package enum Maintenance {
  package static func backup(directory: String, to file: String) throws {
    try Database.backup(from: DataDirectory.databasePath(in: directory), to: file)
  }

  /// One sentence for each fault, none when the data is sound.
  package static func faults(directory: String) throws -> [String] {
    try Database.integrityCheck(of: DataDirectory.databasePath(in: directory))
  }
}
