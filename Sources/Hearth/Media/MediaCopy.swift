import Foundation
import Storage

/// Copies the picture files for a backup while files are added and removed. Files are named by their content, so those
/// that the copy already has are skipped, and those whose content does not match their name are not copied.
struct MediaCopy {
  private let source: MediaFolder
  private let destination: MediaFolder

  /// - Parameters:
  ///   - source: a data folder.
  ///   - destination: a folder that will have the layout of a data folder.
  init(from source: String, to destination: String) {
    self.source = MediaFolder(path: DataDirectory.mediaPath(in: source))
    self.destination = MediaFolder(path: DataDirectory.mediaPath(in: destination.isEmpty ? "." : destination))
  }

  /// Returns the lock on the destination, which the caller releases.
  func begin() throws -> MediaFolderLock {
    let paths = [source, destination].map { URL(fileURLWithPath: $0.path).resolvingSymlinksInPath().path }
    guard paths[0] != paths[1] else {
      throw MediaFolder.Failure(
        description: "A backup cannot be made into the data folder itself, because it would share its pictures."
      )
    }
    return try MediaFolderLock.forBackup(into: destination)
  }

  /// Copies all files but those that cannot be copied, which `complete` reports: not every file has a row.
  ///
  /// Of files that the destination has, only the size is compared. Reading all of them would make every backup as slow
  /// as the first one.
  func copyAll() throws {
    try source.forEachFile { hash in
      if let size = source.byteCount(of: hash), destination.byteCount(of: hash) == size { return }
      _ = try copy(hash)
    }
  }

  /// Copies the files that the copied database names and the destination lacks. Returns one sentence for each that
  /// cannot be copied, or nil if some of them have been removed since the database was copied.
  ///
  /// - Parameter live: the database that was copied.
  func complete(for database: String, copiedFrom live: String) throws -> [String]? {
    let reader = try Database.reader(of: database)
    defer { reader.endRead() }
    var missing: [PictureHash] = []
    try reader.forEachRow(of: PictureUses.pictures, ()) { row in
      if let hash = PictureHash(row.blob(1)), destination.byteCount(of: hash) != row.int64(2) { missing.append(hash) }
    }
    let lacking = try missing.filter { hash in try copy(hash) != nil }
    guard !lacking.isEmpty else { return [] }
    let liveReader = try Database.reader(of: live)
    var faults: [String] = []
    for hash in lacking {
      // A file is written before its row, and removed after it. It is read again after the row was seen, because it can
      // have been written since it was read before.
      guard try Self.hasRow(hash, in: liveReader) else { return nil }
      guard let fault = try copy(hash) else { continue }
      guard try Self.hasRow(hash, in: liveReader) else { return nil }
      faults.append("The file \(source.path(of: hash)) \(fault).")
    }
    return faults
  }

  /// As of now.
  private static func hasRow(_ hash: PictureHash, in reader: Reader) throws(DatabaseError) -> Bool {
    defer { reader.endRead() }
    return try reader.hasRow(StoredPicture.exists, hash)
  }

  /// Returns nil if the destination has the picture, or else what is wrong with the file.
  private func copy(_ hash: PictureHash) throws(MediaFolder.Failure) -> String? {
    guard let content = try? source.read(hash) else {
      return destinationHas(hash) ? nil : "does not exist or cannot be read"
    }
    guard PictureHash(of: content[...]) == hash else {
      return destinationHas(hash) ? nil : "does not match its hash"
    }
    try destination.replace(content[...], as: hash)
    return nil
  }

  private func destinationHas(_ hash: PictureHash) -> Bool {
    guard let content = try? destination.read(hash) else { return false }
    return PictureHash(of: content[...]) == hash
  }
}
