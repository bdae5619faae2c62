import CFileStatus

/// The sizes of files in the data folder, in bytes.
enum DataFiles {
  /// The size of the write-ahead log: 0 if the file does not exist.
  static func logBytes(in directory: String) -> Int {
    var status = file_status()
    let path = DataDirectory.databasePath(in: directory) + "-wal"
    return file_status_of(path, &status) == 0 ? Int(status.size) : 0
  }

  /// What is free on the disk: 0 if that cannot be found out.
  static func freeBytes(in directory: String) -> Int {
    var free: UInt64 = 0
    return file_status_free_bytes(directory, &free) == 0 ? Int(clamping: free) : 0
  }
}
