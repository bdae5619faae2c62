import Bytes
import Crypto
import Foundation

/// The file `postgresql` in the data folder of a server whose data is in a PostgreSQL database: which database that is.
/// The pictures in the folder belong to it, and a server with another database would delete them.
enum PostgreSQLFolderMark {
  private static func path(in directory: String) -> String { DataFile.postgreSQLMark.path(in: directory) }

  private static func content(in directory: String) -> String? {
    (try? String(contentsOfFile: path(in: directory), encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Fails if the folder belongs to a PostgreSQL database.
  static func requireNone(in directory: String) throws(UnusableData) {
    guard content(in: directory) != nil else { return }
    throw UnusableData(
      "The data folder \(directory) belongs to a server whose data is in a PostgreSQL database. For that server, set "
        + "HEARTH_DATABASE_URL. pg_dump makes backups of the database."
    )
  }

  /// Fails if the folder contains a SQLite database, or pictures of one.
  static func requireNoFile(in directory: String, hasPictures: Bool) throws(UnusableData) {
    guard !FileManager.default.fileExists(atPath: DataDirectory.databasePath(in: directory)) else {
      throw UnusableData(
        "The data folder \(directory) contains the SQLite database hearth.db: with HEARTH_DATABASE_URL, use another "
          + "folder."
      )
    }
    guard hasPictures, content(in: directory) == nil else { return }
    throw UnusableData(
      "There are pictures in \(DataDirectory.mediaPath(in: directory)) that belong to another database: use another "
        + "data folder, or remove them."
    )
  }

  /// Fails if the folder contains pictures although the database is new.
  static func requireNoPictures(in directory: String, hasPictures: Bool) throws(UnusableData) {
    guard hasPictures else { return }
    throw UnusableData(
      "There are pictures in \(DataDirectory.mediaPath(in: directory)), but the PostgreSQL database is empty: restore "
        + "the database that belongs to them, or remove them."
    )
  }

  /// Records the database, or fails if the folder belongs to another one.
  ///
  /// - Parameter secret: of the database.
  static func note(_ secret: [UInt8], in directory: String) throws {
    let digest = SHA256.hash(data: Array("hearth data folder".utf8) + secret)
    let identity = digest.prefix(16).hexadecimal
    guard let known = content(in: directory) else {
      return try Data("\(identity)\n".utf8).write(to: URL(fileURLWithPath: path(in: directory)), options: .atomic)
    }
    guard known == identity else {
      throw UnusableData(
        "The pictures in the data folder \(directory) belong to another PostgreSQL database: use another folder."
      )
    }
  }
}
