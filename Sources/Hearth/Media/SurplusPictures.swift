import CFileStatus
import Foundation
import Storage

/// The pictures in a folder of backups that none of its databases refers to any more, such as those of erased people.
struct SurplusPictures {
  private let directory: String
  private let folder: MediaFolder
  private var found: Set<PictureHash>
  /// Why they are not removed: one of them can be a picture of another backup, or of a server.
  private var obstacle: String?

  /// - Parameter directory: the folder of a backup whose database has its name. Other backups can be there, too.
  private init(in directory: String) {
    self.directory = directory
    let folder = MediaFolder(path: DataDirectory.mediaPath(in: directory))
    var found: Set<PictureHash> = []
    folder.forEachFile { hash in found.insert(hash) }
    self.folder = folder
    self.found = found
    // Other folders of backups can have links to the same pictures.
    if (try? FileManager.default.destinationOfSymbolicLink(atPath: folder.path)) != nil {
      obstacle = "\(folder.path) is a link"
    }
    // With hidden names, and with an error where `FileCalls.names` would find none.
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
      obstacle = "the folder cannot be read"
      return
    }
    for name in names.sorted() { examine(name) }
  }

  /// Removes them. Returns why some are kept, as a sentence for operators; nil if none are left.
  ///
  /// - Parameter lock: of the folder of pictures.
  static func remove(from directory: String, during lock: MediaFolderLock) -> String? {
    // A server stores a picture before its row.
    let serverLock = MediaFolderLock(at: directory)
    defer { serverLock?.release() }
    var pictures = SurplusPictures(in: directory)
    if serverLock == nil { pictures.obstacle = "a server uses the folder" }
    if !lock.isEffective { pictures.obstacle = "the file system has no locks" }
    guard !pictures.found.isEmpty else { return nil }
    if let obstacle = pictures.obstacle {
      return "Pictures that no database in \(directory) refers to are kept, because \(obstacle)."
    }
    let folder = pictures.folder
    for hash in pictures.found { folder.remove(hash) }
    guard pictures.found.contains(where: folder.has) else { return nil }
    return "Pictures that no database in \(directory) refers to could not be removed."
  }

  /// Keeps the pictures of a database. What is not known can be a backup, such as one that was compressed.
  private mutating func examine(_ name: String) {
    let path = "\(directory)/\(name)"
    guard OtherDatabases.isDatabase(path) else {
      if !Self.hasNoDatabase(name, at: path) { obstacle = "\(name) can be another backup" }
      return
    }
    do throws(DatabaseError) {
      try keepPictures(of: path)
    } catch {
      obstacle = "\(name) cannot be read: \(error.message)"
    }
  }

  private mutating func keepPictures(of database: String) throws(DatabaseError) {
    var named: Set<PictureHash> = []
    let reader = try Database.reader(of: database)
    defer { reader.endRead() }
    try reader.forEachRow(of: PictureUses.pictures, ()) { row in
      if let hash = PictureHash(row.blob(1)) { named.insert(hash) }
    }
    found.subtract(named)
  }

  /// Whether a file or folder is known, and is no part of a database. A write-ahead log can be that of a database that
  /// was replaced: SQLite would read its pages instead of those of the new one.
  private static func hasNoDatabase(_ name: String, at path: String) -> Bool {
    if let file = DataFile(rawValue: name), file != .database, file != .log { return true }
    // The index of a log, which readers leave with the empty log. A socket is empty, too, and so are folders on some
    // network shares.
    if name.hasSuffix("-shm") { return true }
    var status = file_status()
    return file_status_of(path, &status) == 0 && status.size == 0 && access("\(path)/.", F_OK) != 0
  }
}
