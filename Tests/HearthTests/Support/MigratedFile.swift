import Foundation
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// The SQLite file with the schema, of which new servers get a copy: migrating takes some 90 ms in a debug build. It
/// contains no keys yet, because a server creates its own when it has opened the file.
enum MigratedFile {
  private static let content = Task {
    let folder = try TemporaryDirectory()
    let path = DataDirectory.databasePath(in: folder.path)
    let database = try Database(path: path, migrations: Migration.all)
    await database.close()
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  static func write(into folder: String) async throws {
    let path = DataDirectory.databasePath(in: folder)
    let content = try await content.value
    let isWritten = FileManager.default.createFile(
      atPath: path,
      contents: content,
      attributes: [.posixPermissions: 0o600]
    )
    try #require(isWritten)
    // Without its record, the file would count as restored from a backup: the server would check all pages and skip
    // numbers.
    try UseRecord(.closed, database: #require(FileStatus(of: path))).write(beside: path)
  }
}
