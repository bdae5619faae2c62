import CFileStatus

/// The files and folders in the data folder, by their names, but for the socket (`ControlSocket`).
enum DataFile: String, CaseIterable {
  /// The SQLite database.
  case database = "hearth.db"
  /// SQLite's write-ahead log.
  case log = "hearth.db-wal"
  /// The index of the log.
  case index = "hearth.db-shm"
  /// How the database was left.
  case state = "hearth.db.state"
  /// The folder's PostgreSQL database: see `PostgreSQLFolderMark`.
  case postgreSQLMark = "postgresql"
  /// See `ErasureRecord`.
  case erasures
  /// The folder of archives.
  case exports
  /// See `LastBackup`.
  case lastBackup = "last-backup"
  /// The folder of pictures.
  case media
  /// The folder of mails, when no mail server is set.
  case outbox
  /// The folder of the sizes of pictures.
  case scaled

  /// - Parameter directory: a data folder, or the folder of a backup.
  func path(in directory: String) -> String { "\(directory)/\(rawValue)" }

  /// The size of the file: 0 if it does not exist.
  func byteCount(in directory: String) -> Int {
    var status = file_status()
    return file_status_of(path(in: directory), &status) == 0 ? Int(status.size) : 0
  }
}
