import Foundation
import Storage

/// Operations on a data folder from the command line.
package enum Maintenance {
  /// Copies the database into `file`, and the pictures and the record of erasures beside it. If that folder contains
  /// pictures of earlier backups, only new ones are copied.
  package static func backup(directory: String, to file: String) throws {
    try ServerDatabaseMark.requireNone(in: directory)
    try backupData(of: directory, to: file)
    // After the database: a copy that still contains a person has the record of their erasure.
    let source = ErasureRecord(in: directory)
    let folder = (file as NSString).deletingLastPathComponent
    let destination = ErasureRecord(in: folder.isEmpty ? "." : folder)
    try destination.append(try source.entries().subtracting(try destination.entries()))
    LastBackup.note(in: directory)
  }

  private static func backupData(of directory: String, to file: String) throws {
    let copy = MediaCopy(from: directory, to: (file as NSString).deletingLastPathComponent)
    guard !FileManager.default.fileExists(atPath: file),
      FileManager.default.fileExists(atPath: DataDirectory.databasePath(in: directory))
    else { return try backupDatabase(of: directory, to: file) }
    try copy.begin()
    // Pictures are added and removed meanwhile. Pictures from before the copy of the database are in the backup
    // already; the database can refer to others only if they were added since.
    try copy.copyAll()
    for _ in 1...attempts {
      try backupDatabase(of: directory, to: file)
      do {
        if try copy.complete(for: file) { return }
      } catch {
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

  private static func backupDatabase(of directory: String, to file: String) throws {
    try UnusableData.naming(DataDirectory.databasePath(in: directory)) { path throws(DatabaseError) in
      try Database.backup(from: path, to: file)
    }
  }

  /// Returns one sentence for each fault, and none if the data is sound.
  package static func faults(directory: String) throws -> [String] {
    try ServerDatabaseMark.requireNone(in: directory)
    return try UnusableData.naming(DataDirectory.databasePath(in: directory)) { path throws(DatabaseError) in
      let faults = try Database.integrityCheck(of: path)
      // A damaged database cannot be checked further.
      guard faults.isEmpty else { return faults }
      let pictures = MediaFolder(path: DataDirectory.mediaPath(in: directory))
      return try PictureCheck.faults(of: path, pictures) + PointLedgerCheck.faults(Database.reader(of: path))
    }
  }
}
