import CSQLite
import Glibc

/// The partitions whose rows a transaction of the writer changes.
///
/// SQLite reports each row before it is changed, whichever statement, trigger or foreign key changes it
/// (https://sqlite.org/c3ref/preupdate_blobwrite.html), so no change can be missed. Reporting a row costs about 1,100
/// instructions.
final class PartitionChanges {
  /// A table, and the index of the column.
  private struct Table {
    /// Released by `deinit`.
    let name: UnsafeMutablePointer<CChar>
    let column: Int32

    init(_ name: String, column: Int32) {
      let characters = name.utf8CString
      self.name = .allocate(capacity: characters.count)
      self.name.initialize(from: Array(characters), count: characters.count)
      self.column = column
    }
  }

  /// More changes count as changes of all partitions.
  private static let maximumCount = 4_096

  private let connection: Connection
  private let tables: [Table]
  private var keys: [Int64] = []
  private var isUnknown = false

  /// - Parameter partitioned: the tables whose changes are reported. Those that do not exist are ignored.
  init(of connection: Connection, in partitioned: [PartitionedTable]) throws(DatabaseError) {
    self.connection = connection
    var tables: [Table] = []
    for table in partitioned {
      // The name as SQLite reports it.
      let column = """
        SELECT t.name, c.cid FROM sqlite_schema AS t, pragma_table_info(t.name) AS c \
        WHERE t.name = '\(table.name)' COLLATE NOCASE AND c.name = '\(table.column)' COLLATE NOCASE
        """
      try connection.forEachRow(of: column) { row in
        tables.append(Table(row.string(0), column: Int32(truncatingIfNeeded: row.int64(1))))
      }
    }
    self.tables = tables
    guard !tables.isEmpty else { return }
    // Unretained: deinit removes the hook.
    sqlite3_preupdate_hook(
      connection.handle,
      { context, database, operation, _, table, _, _ in
        guard let context, let table else { return }
        let changes = Unmanaged<PartitionChanges>.fromOpaque(context).takeUnretainedValue()
        changes.willChange(table, by: operation, in: database)
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  deinit {
    if !tables.isEmpty { sqlite3_preupdate_hook(connection.handle, nil, nil) }
    for table in tables { table.name.deallocate() }
  }

  /// Must be called when a transaction begins.
  func begin() {
    keys.removeAll(keepingCapacity: true)
    isUnknown = false
  }

  /// At least the partitions that the transaction has changed since `begin`.
  var changed: ChangedPartitions { isUnknown ? .unknown : .some(keys) }

  private func willChange(_ name: UnsafePointer<CChar>, by operation: Int32, in database: OpaquePointer?) {
    guard let table = tables.first(where: { strcmp($0.name, name) == 0 }) else { return }
    var value: OpaquePointer?
    if operation != SQLITE_INSERT {
      add(sqlite3_preupdate_old(database, table.column, &value) == SQLITE_OK ? value : nil)
    }
    if operation != SQLITE_DELETE {
      add(sqlite3_preupdate_new(database, table.column, &value) == SQLITE_OK ? value : nil)
    }
  }

  /// - Parameter value: nil if it could not be read.
  private func add(_ value: OpaquePointer?) {
    guard let value, sqlite3_value_type(value) == SQLITE_INTEGER, keys.count < Self.maximumCount else {
      isUnknown = true
      return
    }
    let key = sqlite3_value_int64(value)
    if keys.last != key { keys.append(key) }
  }
}
