import Foundation
import Storage

/// Operations on data from the command line.
package enum Maintenance {
  /// Throws `IncompleteBackup` if the backup was made, but lacks pictures, or is damaged like the data. Returns
  /// sentences for operators if pictures are kept that no database beside it refers to, or if its time cannot be noted.
  @discardableResult
  package static func backup(_ location: DataLocation, to file: String) throws -> String? {
    switch location {
    case .folder(let directory):
      return try backup(directory: directory, to: file)
    case .postgreSQL(let url):
      return try backup(postgreSQL: url, to: file)
    }
  }

  /// Copies a snapshot of a PostgreSQL database, which a server may be using, into a SQLite file with its pictures
  /// beside it: a data folder.
  private static func backup(postgreSQL url: String, to file: String) throws -> String? {
    let source = try PostgreSQLSnapshot(url: url, migrations: Migration.all, rules: .ofProduct, excludesServers: false)
    let folder = folder(of: file)
    let pictures = MediaFolder(path: DataDirectory.mediaPath(in: folder))
    let lock = try MediaFolderLock.forBackup(into: pictures)
    defer { lock.release() }
    _ = try DataMove.write(source, to: file, pictures)
    return SurplusPictures.remove(from: folder, during: lock)
  }

  private static func folder(of file: String) -> String {
    let folder = (file as NSString).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
  }

  /// Copies the database into `file`, and the pictures and the record of erasures beside it. If that folder contains
  /// pictures of earlier backups, only new ones are copied, and those that no database there refers to are removed.
  private static func backup(directory: String, to file: String) throws -> String? {
    try PostgreSQLFolderMark.requireNone(in: directory)
    let (damage, faults, surplus) = try backupData(of: directory, to: file)
    // After the database: a copy that still contains a person has the record of their erasure.
    let source = ErasureRecord(in: directory)
    let destination = ErasureRecord(in: folder(of: file))
    try destination.append(try source.entries().subtracting(try destination.entries()))
    guard damage.isEmpty, faults.isEmpty else { throw IncompleteBackup(file: file, damage: damage, faults: faults) }
    let time = LastBackup.note(in: directory).map { "The backup is complete, but its time could not be noted. \($0)" }
    let sentences = [surplus, time].compactMap(\.self)
    return sentences.isEmpty ? nil : sentences.joined(separator: "\n")
  }

  /// Returns what `Database.backup` returns, one sentence for each picture that cannot be copied, and that of
  /// `SurplusPictures.remove`.
  private static func backupData(
    of directory: String,
    to file: String
  ) throws -> (damage: [String], faults: [String], surplus: String?) {
    let folder = folder(of: file)
    let copy = MediaCopy(from: directory, to: folder)
    let database = DataDirectory.databasePath(in: directory)
    guard !FileManager.default.fileExists(atPath: file), FileManager.default.fileExists(atPath: database) else {
      // Throws the reason.
      return (try backupDatabase(of: directory, to: file), [], nil)
    }
    let lock = try copy.begin()
    defer { lock.release() }
    // Pictures are added and removed meanwhile. Pictures from before the copy of the database are in the backup
    // already; the database can refer to others only if they were added since.
    try copy.copyAll()
    for _ in 1...attempts {
      let damage = try backupDatabase(of: directory, to: file)
      do {
        if let faults = try copy.complete(for: file, copiedFrom: database) {
          // A backup that is not complete may be all that is left of the data.
          let isComplete = damage.isEmpty && faults.isEmpty
          return (damage, faults, isComplete ? SurplusPictures.remove(from: folder, during: lock) : nil)
        }
      } catch {
        // Which pictures a damaged database refers to may not be readable. All that there are have been copied.
        if !damage.isEmpty, error is DatabaseError { return (damage, [], nil) }
        try FileManager.default.removeItem(atPath: file)
        throw error
      }
      // A picture that the copy refers to was removed before it was copied. The next copy of the database does not
      // refer to it any more.
      try FileManager.default.removeItem(atPath: file)
    }
    throw MediaFolder.Failure(description: "Pictures kept being removed during the backup: try again.")
  }

  /// An attempt fails only if a picture is removed just after the database was copied.
  private static let attempts = 20

  private static func backupDatabase(of directory: String, to file: String) throws -> [String] {
    try UnusableData.naming(DataDirectory.databasePath(in: directory)) { path throws(DatabaseError) in
      try Database.backup(from: path, to: file)
    }
  }

  /// Creates the tables in a PostgreSQL database, or runs the migrations that it lacks.
  ///
  /// - Parameter isRestored: whether commits that were acknowledged can be missing: see `LostNumbers`.
  package static func migrate(server url: String, isRestored: Bool, allowsUnsafeSettings: Bool) throws {
    _ = try PostgreSQLDatabase(
      url: url,
      schema: .ofProduct,
      migrations: Migration.all,
      allowsUnsafeSettings: allowsUnsafeSettings,
      afterLoss: isRestored ? LostNumbers.statements : []
    ) { _ in }
  }

  /// Returns one sentence for each fault, and none if the data is sound.
  package static func faults(in location: DataLocation) throws -> [String] {
    switch location {
    case .folder(let directory): try faults(directory: directory)
    case .postgreSQL(let url): try faults(postgreSQL: url)
    }
  }

  /// Damaged pages are PostgreSQL's own concern: `pg_amcheck` finds them.
  private static func faults(postgreSQL url: String) throws -> [String] {
    let snapshot = try PostgreSQLSnapshot(
      url: url,
      migrations: Migration.all,
      rules: .ofProduct,
      excludesServers: false
    )
    let reader = try PostgreSQLDatabase.reader(of: url, migrations: Migration.all)
    return try snapshot.brokenReferences() + PictureCheck(ofPostgreSQL: reader).faults()
      + PointLedgerCheck.faults(reader)
  }

  private static func faults(directory: String) throws -> [String] {
    try PostgreSQLFolderMark.requireNone(in: directory)
    return try UnusableData.naming(DataDirectory.databasePath(in: directory)) { path throws(DatabaseError) in
      let faults = try Database.integrityCheck(of: path, supportedVersion: Migration.all.count)
      // A damaged or newer database cannot be checked further.
      guard faults.isEmpty else { return faults }
      let pictures = MediaFolder(path: DataDirectory.mediaPath(in: directory))
      return try PictureCheck(of: path, pictures).faults() + PointLedgerCheck.faults(Database.reader(of: path))
    }
  }
}
