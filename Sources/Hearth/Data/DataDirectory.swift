import Basics
import Glibc
import Storage

/// The data folder, locked for exclusive use by this process.
///
/// A second server on the same data would delete pictures that the first is receiving, because it takes them for
/// leftovers of a crash. It would also accept sessions that have ended in the first, and would not deliver events of
/// the first's writes.
package final class DataDirectory: Sendable {
  /// Holds the lock. The kernel releases it when the process ends for any reason. The folder itself is locked, so no
  /// lock file can be left behind.
  private let descriptor: Int32

  /// Creates the folder if it does not exist.
  ///
  /// - Parameters:
  ///   - usesPostgreSQL: whether the data is in a PostgreSQL database, and only files are in the folder.
  ///   - hasPictures: whether the folder at a path contains pictures.
  init(
    _ path: String,
    usesPostgreSQL: Bool,
    hasPictures: (_ mediaPath: String) -> Bool
  ) throws(UnusableData) {
    try Self.make(path)
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure("opened", path: path) }
    do throws(UnusableData) {
      try Self.lock(descriptor, path: path)
      if usesPostgreSQL {
        try PostgreSQLFolderMark.requireNoFile(in: path, hasPictures: hasPictures(Self.mediaPath(in: path)))
      } else {
        try PostgreSQLFolderMark.requireNone(in: path)
        try Self.requireDatabase(in: path, hasPictures)
      }
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Releases the lock, so that another server can use the folder.
  func release() { flock(descriptor, LOCK_UN) }

  package static func databasePath(in directory: String) -> String { DataFile.database.path(in: directory) }
  static func mediaPath(in directory: String) -> String { DataFile.media.path(in: directory) }
  static func scaledPath(in directory: String) -> String { DataFile.scaled.path(in: directory) }

  private static func make(_ path: String) throws(UnusableData) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += part
      if mkdir(made, 0o700) != 0, errno != EEXIST {
        let failure = failure("created", path: path)
        guard access(made, F_OK) == 0 else { throw failure }
      }
      made += "/"
    }
  }

  private static func lock(_ descriptor: Int32, path: String) throws(UnusableData) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
    throw errno == EWOULDBLOCK
      ? UnusableData("The data folder \(path) is in use by another server.") : failure("locked", path: path)
  }

  /// Fails if there is no database, but a part of one, or pictures. A new database has no rows for the pictures, and
  /// pictures without a row are deleted at the start. An operator who restored only the pictures would lose all of
  /// them.
  private static func requireDatabase(
    in path: String,
    _ hasPictures: (_ mediaPath: String) -> Bool
  ) throws(UnusableData) {
    let database = databasePath(in: path)
    let file = open(database, O_RDONLY | O_CLOEXEC)
    defer { if file >= 0 { close(file) } }
    if file >= 0 ? lseek(file, 0, SEEK_END) > 0 : errno != ENOENT { return }
    try UnusableData.naming(database) { path throws(DatabaseError) in try Database.requireFile(of: path) }
    guard !Database.hasPartialFile(of: database) else {
      throw UnusableData(
        "\(database).partial was left by a backup or a move that did not finish: repeat it into a new folder."
      )
    }
    guard hasPictures(mediaPath(in: path)) else { return }
    throw UnusableData(
      "There are pictures in \(mediaPath(in: path)), but there is no database at \(database): restore the database "
        + "that belongs to them, or choose another folder."
    )
  }

  private static func failure(_ what: String, path: String) -> UnusableData {
    UnusableData("The data folder \(path) cannot be \(what): \(FileCalls.reason).")
  }
}
