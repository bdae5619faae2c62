import CFileStatus

/// What is free on a disk.
enum FreeSpace {
  /// The free bytes of the disk that has a folder; nil if they cannot be found out.
  static func bytes(in directory: String) -> Int? {
    var free: UInt64 = 0
    return file_status_free_bytes(directory, &free) == 0 ? Int(clamping: free) : nil
  }
}
