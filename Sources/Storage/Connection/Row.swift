import CSQLite

/// The row that a statement stands on. Columns count from 0; a value is converted to the type asked for by SQLite's
/// rules.
///
/// Good until the statement steps again or is finished: take what is needed out of it and let it go.
@usableFromInline package struct Row {
  @usableFromInline let handle: OpaquePointer

  @inlinable @inline(__always)
  init(_ handle: OpaquePointer) { self.handle = handle }

  @inlinable @inline(__always)
  package func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
  }

  /// 0 for NULL.
  @inlinable @inline(__always)
  package func int64(_ column: Int) -> Int64 {
    sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
  }

  @inlinable @inline(__always)
  package func bool(_ column: Int) -> Bool { int64(column) != 0 }

  /// 0 for NULL.
  @inlinable @inline(__always)
  package func double(_ column: Int) -> Double {
    sqlite3_column_double(handle, Int32(truncatingIfNeeded: column))
  }

  /// The text's UTF-8 as it is stored, empty for NULL. The bytes belong to SQLite and are gone with the row: copy them.
  @inlinable @inline(__always)
  package func text(_ column: Int) -> UnsafeRawBufferPointer {
    let column = Int32(truncatingIfNeeded: column)
    // The order matters: sqlite3_column_text may convert, and sqlite3_column_bytes counts what came of it.
    let start = sqlite3_column_text(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// The bytes of a blob, empty for NULL, under the same rule as `text`.
  @inlinable @inline(__always)
  package func blob(_ column: Int) -> UnsafeRawBufferPointer {
    let column = Int32(truncatingIfNeeded: column)
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// The text as a String, empty for NULL. Twice the cost of `text` copied raw: for mutations, not for loaders.
  @inlinable
  package func string(_ column: Int) -> String { String(decoding: text(column), as: UTF8.self) }

  @inlinable
  package func optionalInt64(_ column: Int) -> Int64? { isNull(column) ? nil : int64(column) }

  @inlinable
  package func optionalString(_ column: Int) -> String? { isNull(column) ? nil : string(column) }
}
