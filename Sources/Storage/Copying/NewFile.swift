import Basics
import Glibc

/// A SQLite file that is filled with the rows of another database. It gets its name when it is complete and durable:
/// what fails leaves nothing.
package final class NewFile: RowWriting {
  private let path: String
  private let partial: PartialFile
  /// Nil once the file is closed.
  private var rows: FileRows?
  private let rules: CopyRules
  /// The statements that create the indexes and triggers.
  private var dropped: [String] = []

  /// - Parameter path: must not exist.
  package init(path: String, migrations: [Migration], rules: CopyRules) throws {
    self.path = path
    self.rules = rules
    partial = try PartialFile(for: path)
    let connection = try Connection(path: partial.path, mode: .write, cacheKibibytes: 262_144)
    rows = FileRows(connection: connection, rules: rules)
    try Migrator(on: connection).migrate(with: migrations)
    // A file that is not completed is deleted, so that no journal is needed.
    try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN")
    var names: [String] = []
    try connection.forEachRow(
      of: "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL"
    ) { row in
      names.append("DROP \(row.string(0)) \"\(row.string(1))\"")
      dropped.append(row.string(2))
    }
    for name in names { try connection.execute(name) }
    // Rows that migrations have inserted.
    for table in try tables() { try connection.execute("DELETE FROM \"\(table.name)\"") }
  }

  /// The connection closes before the file is deleted.
  deinit { rows = nil }

  private func open() throws(CopyFailure) -> FileRows {
    guard let rows else { throw CopyFailure("The file \(path) is complete.") }
    return rows
  }

  package func tables() throws -> [CopiedTable] { try open().tables() }

  package func forEachBatch(of table: CopiedTable, rows: Int, _ body: (RowBatch) throws -> Void) throws {
    try open().forEachBatch(of: table, rows: rows, body)
  }

  package func append(_ batch: RowBatch, to table: CopiedTable) throws {
    let parameters = (1...table.columns.count).map { "?\($0)" }.joined(separator: ", ")
    let text = "INSERT INTO \"\(table.name)\" (\(table.columnList)) VALUES (\(parameters))"
    try open().connection.withStatement(text) { statement in
      for row in 0..<batch.count {
        for (index, column) in table.columns.enumerated() {
          try batch.withValue(row, index) { value in
            guard let value else { return try statement.bindNull(index + 1) }
            switch column.type {
            case .integer: try statement.bind(batch.int64(row, index), at: index + 1)
            case .text: try statement.bind(text: value, at: index + 1)
            case .blob: try statement.bind(blob: value, at: index + 1)
            }
          }
        }
        try statement.run()
      }
    }
  }

  package func complete() throws {
    let connection = try open().connection
    for text in dropped + rules.fileStatements { try connection.execute(text) }
    var fault: String?
    try connection.forEachRow(of: "PRAGMA foreign_key_check") { row in
      fault = fault ?? "A row of \(row.string(0)) refers to a missing row of \(row.string(2))."
    }
    if let fault { throw CopyFailure(fault) }
  }

  /// Makes the file durable and gives it its name.
  package func finish() throws {
    // A single file that can be read on a read-only file system.
    try open().connection.execute("COMMIT; PRAGMA journal_mode = DELETE")
    rows = nil
    try Self.synchronize(partial.path)
    try partial.complete()
  }

  private static func synchronize(_ path: String) throws(DatabaseError) {
    let file = Glibc.open(path, O_RDWR | O_CLOEXEC)
    defer { if file >= 0 { close(file) } }
    guard file >= 0, fsync(file) == 0 else {
      throw DatabaseError(.inputOutput, message: FileCalls.failure(to: "write", path))
    }
  }
}
