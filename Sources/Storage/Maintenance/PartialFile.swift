import Basics
import Glibc

/// A new database file until it is complete. It is deleted with this value, unless it has got its name by then.
final class PartialFile {
  /// Where it is until then: a name of its own, because others can write a file for the same destination.
  let path: String
  private let destination: String
  private var isComplete = false

  /// Creates an empty file that only its owner can read. SQLite would create it readable for others, and it gives the
  /// journal the mode of the file.
  ///
  /// - Parameter destination: the name that the file gets. It must not exist.
  init(for destination: String) throws(DatabaseError) {
    guard access(destination, F_OK) != 0 else { throw DatabaseError.exists(destination) }
    let path = "\(destination).\(String(UInt32.random(in: 0 ... .max), radix: 16)).partial"
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw DatabaseError(.inputOutput, message: FileCalls.failure(to: "create", path)) }
    close(file)
    self.path = path
    self.destination = destination
  }

  deinit {
    guard !isComplete else { return }
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }

  /// Gives the file its name, which then survives a power failure. No connection to the file may be open.
  ///
  /// - Throws: `destinationExists` if another file has got the name meanwhile. It is not replaced.
  func complete() throws(DatabaseError) {
    // Unlike rename(2), link(2) never replaces a file. Swift does not import renameat2(2), which need not either.
    if link(path, destination) == 0 {
      unlink(path)
    } else {
      // File systems without links, on which a file that appears at this moment is replaced.
      guard errno != EEXIST, access(destination, F_OK) != 0 else { throw DatabaseError.exists(destination) }
      guard rename(path, destination) == 0 else {
        throw DatabaseError(.inputOutput, message: FileCalls.failure(to: "rename", path))
      }
    }
    isComplete = true
    FileCalls.synchronizeFolder(FileCalls.folder(of: destination))
  }
}

extension DatabaseError {
  fileprivate static func exists(_ path: String) -> DatabaseError {
    DatabaseError(.destinationExists, message: "\(path) exists already, and is not replaced.")
  }
}
