import CFileStatus

/// The metadata of a file.
struct FileStatus: Equatable {
  /// Identifies a file for as long as the file system is mounted.
  struct Identity: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  let identity: Identity
  let size: Int64
  /// When the content changed and when the metadata changed, in nanoseconds since 1970.
  let modified: Int64
  let changed: Int64

  /// Nil if there is no file or it cannot be accessed.
  init?(of path: String) {
    var status = file_status()
    guard file_status_of(path, &status) == 0 else { return nil }
    identity = Identity(device: status.device, inode: status.inode)
    size = status.size
    modified = status.modified
    changed = status.changed
  }
}
