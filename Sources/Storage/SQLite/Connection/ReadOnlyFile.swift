import Glibc

/// A database on a read-only file system, such as a backup on a mounted snapshot.
enum ReadOnlyFile {
  /// The URI by which SQLite reads such a file without the index of the write-ahead log, which it cannot create there
  /// (https://sqlite.org/uri.html#uriimmutable). Nil if the file system can be written, and if the index exists.
  ///
  /// Throws if the log has commits: SQLite would read the file without them.
  static func immutableURI(of path: String) throws(DatabaseError) -> String? {
    guard access(path, W_OK) != 0, errno == EROFS else { return nil }
    let log = FileStatus(of: path + "-wal")
    // A server can be writing to the file on another mount of the file system. Then there are a log and its index.
    if log != nil, FileStatus(of: path + "-shm") != nil { return nil }
    guard (log?.size ?? 0) == 0 else {
      throw DatabaseError(
        .inputOutput,
        message: "it is on a read-only file system, where its write-ahead log cannot be read without the file "
          + "\(path)-shm. Copy the folder to a file system that can be written."
      )
    }
    // What a rollback journal contains is a part of the database too.
    guard FileStatus(of: path + "-journal") == nil else { return nil }
    let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    // Two slashes are followed by a host, which is empty before an absolute path.
    return "file:\(path.hasPrefix("/") ? "//" : "")\(escaped)?immutable=1"
  }
}
