import Glibc

/// The folder that holds a server's data, and has it for itself.
///
/// A second server on the same data would take the pictures that the first is just being sent for what a crash has left
/// over, go on with sessions that have ended in the other, and tell nobody of what is written there.
package final class DataDirectory: Sendable {
  /// Held for as long as the folder is; the kernel lets go of it when the process ends, in whatever way. A folder can
  /// be locked itself, so there is no file that could be left behind.
  private let descriptor: Int32

  /// Creates the folder if it does not exist.
  ///
  /// - Parameter hasPictures: whether a folder contains pictures.
  init(_ path: String, hasPictures: (_ mediaPath: String) -> Bool) throws(UnusableData) {
    try Self.make(path)
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure("opened", path) }
    do throws(UnusableData) {
      try Self.lock(descriptor, path)
      try Self.requireDatabase(besidePicturesIn: path, hasPictures)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Lets another server have it.
  func release() { flock(descriptor, LOCK_UN) }

  package static func databasePath(in directory: String) -> String { directory + "/hearth.db" }
  static func mediaPath(in directory: String) -> String { directory + "/media" }

  private static func make(_ path: String) throws(UnusableData) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += part
      if mkdir(made, 0o700) != 0, errno != EEXIST, access(made, F_OK) != 0 { throw failure("made", path) }
      made += "/"
    }
  }

  private static func lock(_ descriptor: Int32, _ path: String) throws(UnusableData) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
    throw errno == EWOULDBLOCK
      ? UnusableData("The data folder \(path) is in use: another server has it.") : failure("locked", path)
  }

  /// A new database names no picture, and what no row names is swept away at the start: so all would be lost of whoever
  /// has put back the pictures alone.
  private static func requireDatabase(
    besidePicturesIn path: String,
    _ hasPictures: (_ mediaPath: String) -> Bool
  ) throws(UnusableData) {
    let database = open(databasePath(in: path), O_RDONLY | O_CLOEXEC)
    defer { if database >= 0 { close(database) } }
    if database >= 0 ? lseek(database, 0, SEEK_END) > 0 : errno != ENOENT { return }
    guard hasPictures(mediaPath(in: path)) else { return }
    throw UnusableData(
      "There are pictures in \(mediaPath(in: path)), and no data in \(databasePath(in: path)): put back the database that "
        + "belongs to them, or take them away."
    )
  }

  private static func failure(_ what: String, _ path: String) -> UnusableData {
    UnusableData("The data folder \(path) cannot be \(what): \(String(cString: strerror(errno))).")
  }
}
