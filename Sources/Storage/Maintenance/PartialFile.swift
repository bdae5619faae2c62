import Basics
import Glibc

/// A new database file until it is complete. It is deleted with this value, unless it has got its name by then.
final class PartialFile {
  /// Where it is until then.
  let path: String
  private let destination: String
  /// Locked until the file is complete or deleted. It is closed last: SQLite's locks on the file end with it.
  private let descriptor: Int32
  private var isComplete = false

  /// Creates an empty file that only its owner can read. SQLite would create it readable for others, and it gives the
  /// journal the mode of the file.
  ///
  /// - Parameter destination: the name that the file gets. It must not exist.
  init(for destination: String) throws(DatabaseError) {
    guard access(destination, F_OK) != 0 else { throw DatabaseError.exists(destination) }
    let path = Self.path(for: destination)
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw DatabaseError(.destinationUnusable, message: FileCalls.failure(to: "create", path)) }
    // The owner of the lock can have renamed or deleted the file before it released the lock.
    let locked = FileStatus(of: "/proc/self/fd/\(file)")?.identity
    guard flock(file, LOCK_EX | LOCK_NB) == 0, locked == FileStatus(of: path)?.identity else {
      close(file)
      throw DatabaseError(.destinationExists, message: "\(destination) is being written by another process.")
    }
    // What an attempt that was killed has left.
    for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
    guard ftruncate(file, 0) == 0 else {
      defer { close(file) }
      throw DatabaseError(.destinationUnusable, message: FileCalls.failure(to: "empty", path))
    }
    descriptor = file
    self.path = path
    self.destination = destination
  }

  private static func path(for destination: String) -> String { destination + ".partial" }

  static func exists(for destination: String) -> Bool { access(path(for: destination), F_OK) == 0 }

  deinit {
    if !isComplete {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
    close(descriptor)
  }

  /// Gives the file its name, which then survives a power failure. No connection to the file may be open.
  ///
  /// - Throws: `destinationExists` if another file has got the name meanwhile. It is not replaced. If the name is not
  ///   durable, the file is deleted.
  func complete() throws(DatabaseError) {
    // Unlike rename(2), link(2) never replaces a file. renameat2(2) would not either, but Swift does not import it.
    if link(path, destination) == 0 {
      unlink(path)
    } else {
      // File systems without links, on which a file that appears at this moment is replaced.
      guard errno != EEXIST, access(destination, F_OK) != 0 else { throw DatabaseError.exists(destination) }
      guard rename(path, destination) == 0 else {
        throw DatabaseError(.destinationUnusable, message: FileCalls.failure(to: "rename", path))
      }
    }
    isComplete = true
    let folder = FileCalls.folder(of: destination)
    guard FileCalls.synchronizeFolder(folder) else {
      let failure = DatabaseError(.destinationUnusable, message: FileCalls.failure(to: "synchronize", folder))
      unlink(destination)
      throw failure
    }
  }
}

extension DatabaseError {
  fileprivate static func exists(_ path: String) -> DatabaseError {
    DatabaseError(.destinationExists, message: "\(path) exists already, and is not replaced.")
  }
}
