import Basics
import Glibc

/// Databases in a data folder that are not the server's: other backups, which share its pictures.
enum OtherDatabases {
  /// The first bytes of a SQLite database (https://sqlite.org/fileformat.html).
  private static let header = Array("SQLite format 3\0".utf8)

  /// The names of the files, sorted.
  static func names(in directory: String) -> [String] {
    FileCalls.names(in: directory)
      .filter { DataFile(rawValue: $0) == nil && isDatabase("\(directory)/\($0)") }.sorted()
  }

  static func isDatabase(_ path: String) -> Bool {
    // Does not wait for what is not a file.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return FileCalls.read(file, atMost: header.count) == header
  }
}
