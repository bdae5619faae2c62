import Storage

/// What an operator does to a data directory from outside.
package enum Maintenance {
  /// Copies the database into `file`, and the pictures into the folder `file.media`.
  package static func backup(directory: String, to file: String) throws {
    let copy = MediaCopy(from: DataDirectory.mediaPath(in: directory), to: file + ".media")
    try copy.begin()
    do {
      // Pictures come and go meanwhile. What is there before the database is copied has not gone when it is, or is named
      // by it no more; what has come since is fetched after.
      try copy.copyAll()
      try UnusableData.naming(DataDirectory.databasePath(in: directory)) { path throws(DatabaseError) in
        try Database.backup(from: path, to: file)
      }
      try copy.complete(for: file)
    } catch {
      copy.abandon()
      throw error
    }
  }

  /// One sentence for each fault, none when the data is sound.
  package static func faults(directory: String) throws -> [String] {
    try UnusableData.naming(DataDirectory.databasePath(in: directory)) { path throws(DatabaseError) in
      let faults = try Database.integrityCheck(of: path)
      // A damaged file, or one of an earlier version, may have no pictures to be asked for.
      guard faults.isEmpty else { return faults }
      return try PictureCheck.faults(of: path, MediaFolder(path: DataDirectory.mediaPath(in: directory)))
    }
  }
}
