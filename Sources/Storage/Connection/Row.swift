import CSQLite

/// The current row of a statement. Column indices start at 0. Values are converted to the requested type by SQLite's
/// rules.
///
/// Valid until the statement steps again or is finished: copy the values that are needed later.
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

  /// The UTF-8 of the text, empty for NULL. The bytes belong to SQLite and become invalid with the row: copy them.
  @inlinable @inline(__always)
  package func text(_ column: Int) -> UnsafeRawBufferPointer {
    let column = Int32(truncatingIfNeeded: column)
    // The order matters: sqlite3_column_text can convert the value, and sqlite3_column_bytes counts the converted
    // bytes.
    let start = sqlite3_column_text(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// The bytes of a blob, empty for NULL. They become invalid with the row, as those of `text(_:)` do.
  @inlinable @inline(__always)
  package func blob(_ column: Int) -> UnsafeRawBufferPointer {
    let column = Int32(truncatingIfNeeded: column)
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// The text as a `String`, empty for NULL. It costs twice as much as copying `text(_:)`: use it in mutations, not in
  /// loaders.
  @inlinable
  package func string(_ column: Int) -> String { String(decoding: text(column), as: UTF8.self) }

  @inlinable
  package func optionalInt64(_ column: Int) -> Int64? { isNull(column) ? nil : int64(column) }

  @inlinable
  package func optionalString(_ column: Int) -> String? { isNull(column) ? nil : string(column) }
}
