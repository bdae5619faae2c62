import CSQLite

/// The version of SQLite that the process runs on, as "3.40.1".
package var sqliteVersion: String { String(cString: sqlite3_libversion()) }
