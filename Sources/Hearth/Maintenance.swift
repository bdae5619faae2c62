import Foundation
import Storage

/// What an operator does to a data directory from outside.
package enum Maintenance {
  /// Copies the database into `file`, and the pictures into the folder `media` beside it, where copies made before may
  /// lie: then only those are copied that are not there yet.
  package static func backup(directory: String, to file: String) throws {
    let copy = MediaCopy(from: directory, to: (file as NSString).deletingLastPathComponent)
    guard !FileManager.default.fileExists(atPath: file),
      FileManager.default.fileExists(atPath: DataDirectory.databasePath(in: directory))
    else { return try backupDatabase(of: directory, to: file) }
    try copy.begin()
    // Pictures come and go meanwhile. What was there before the database is copied is in the copy; what the database
    // names beside it has come since.
    try copy.copyAll()
    for _ in 1...attempts {
      try backupDatabase(of: directory, to: file)
      do {
        if try copy.complete(for: file) { return }
      } catch {
        try FileManager.default.removeItem(atPath: file)
        throw error
      }
      // One that it names was removed before it was copied: the next copy of the database names it no more.
      try FileManager.default.removeItem(atPath: file)
    }
    throw MediaFolder.Failure(description: "Pictures were removed all the while: make the backup again.")
  }

  /// Each is spoiled only by a removal within the moments after the database was copied.
  private static let attempts = 20

  private static func backupDatabase(of directory: String, to file: String) throws {
    try UnusableData.naming(DataDirectory.databasePath(in: directory)) { path throws(DatabaseError) in
      try Database.backup(from: path, to: file)
    }
  }

  /// One sentence for each fault, none when the data is sound.
  package static func faults(directory: String) throws -> [String] {
    try UnusableData.naming(DataDirectory.databasePath(in: directory)) { path throws(DatabaseError) in
      let faults = try Database.integrityCheck(of: path)
      // Of a damaged file nothing more can be believed.
      guard faults.isEmpty else { return faults }
      return try PictureCheck.faults(of: path, MediaFolder(path: DataDirectory.mediaPath(in: directory)))
    }
  }
}
