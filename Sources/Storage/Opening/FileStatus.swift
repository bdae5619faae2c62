import CFileStatus

/// What the file system says of a file.
struct FileStatus: Equatable {
  /// Which file it is, for as long as the file system is mounted.
  struct Identity: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  let identity: Identity
  let size: Int64
  /// Nanoseconds since 1970 at which the content changed, and at which the metadata did.
  let modified: Int64
  let changed: Int64

  /// Nil where there is no file, or none that may be looked at.
  init?(of path: String) {
    var status = file_status()
    guard file_status_of(path, &status) == 0 else { return nil }
    identity = Identity(device: status.device, inode: status.inode)
    size = status.size
    modified = status.modified
    changed = status.changed
  }
}
