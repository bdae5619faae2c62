import Glibc

/// Databases in a data folder that are not the server's: other backups, which share its pictures.
enum OtherDatabases {
  /// The first bytes of a SQLite database (https://sqlite.org/fileformat.html).
  private static let header = Array("SQLite format 3\0".utf8)
  /// The server's database, with its log.
  private static let own: Set<String> = ["hearth.db", "hearth.db-wal", "hearth.db-shm"]

  /// The names of the files, sorted.
  static func names(in directory: String) -> [String] {
    MediaFolder.names(in: directory).filter { !own.contains($0) && isDatabase("\(directory)/\($0)") }.sorted()
  }

  private static func isDatabase(_ path: String) -> Bool {
    // Does not wait for what is not a file.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: header.count)
    return read(file, &bytes, bytes.count) == header.count && bytes == header
  }
}
