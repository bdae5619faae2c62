import Glibc

/// The lock on a folder of pictures into which a backup is being written. While it is held, no other process deletes
/// files there: neither those that are being written, nor those without a row in another database.
///
/// The kernel releases it when the process ends for any reason. The folder itself is locked, so no lock file can be
/// left behind.
struct MediaFolderLock {
  private let descriptor: Int32
  /// False on file systems without locks, such as some of a network.
  let isEffective: Bool

  /// Returns nil if another process has the lock.
  init?(_ folder: MediaFolder) { self.init(at: folder.path) }

  /// - Parameter path: of a folder of pictures, or of a data folder, which a server locks while it uses it.
  init?(at path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let isLocked = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0
    if descriptor >= 0, !isLocked, errno == EWOULDBLOCK {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    isEffective = isLocked
  }

  /// Prepares and locks the folder that a backup is written into.
  static func forBackup(into folder: MediaFolder) throws(MediaFolder.Failure) -> MediaFolderLock {
    try folder.prepare()
    guard let lock = MediaFolderLock(folder) else {
      throw MediaFolder.Failure(
        description: "Another backup is being written into \(folder.path): wait until it has ended."
      )
    }
    return lock
  }

  /// The lock is released before the descriptor is closed: a process that is being started has a copy of the descriptor
  /// until it executes its program, and would hold the lock until then.
  func release() {
    guard descriptor >= 0 else { return }
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
