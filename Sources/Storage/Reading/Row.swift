import CSQLite

/// The current row of a statement. Column indices start at 0. Values are converted to the requested type by SQLite's
/// rules, except those of a deferred statement: read each column as the type that it has.
///
/// Valid until the statement steps again or is finished: copy the values that are needed later.
@usableFromInline package struct Row {
  @usableFromInline let word: StatementWord

  @inlinable @inline(__always)
  init(_ word: StatementWord) { self.word = word }

  @inlinable @inline(__always)
  var handle: OpaquePointer { word.handle }

  @inlinable @inline(__always)
  package func isNull(_ column: Int) -> Bool {
    if word.isDeferred { return word.isNull(column) }
    return sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
  }

  /// 0 for NULL.
  @inlinable @inline(__always)
  package func int64(_ column: Int) -> Int64 {
    if word.isDeferred { return word.int64(column) }
    return sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
  }

  @inlinable @inline(__always)
  package func bool(_ column: Int) -> Bool { int64(column) != 0 }

  /// 0 for NULL.
  @inlinable @inline(__always)
  package func double(_ column: Int) -> Double {
    if word.isDeferred { return word.double(column) }
    return sqlite3_column_double(handle, Int32(truncatingIfNeeded: column))
  }

  /// The UTF-8 of the text, empty for NULL. The bytes become invalid with the row: copy them.
  @inlinable @inline(__always)
  package func text(_ column: Int) -> UnsafeRawBufferPointer {
    if word.isDeferred { return word.bytes(column) }
    // One search for the column instead of one for its text and one for its length. Such a value may be used by one
    // thread at a time only, as the connection.
    let value = sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
    // The order matters: sqlite3_value_text can convert the value, and sqlite3_value_bytes counts the converted bytes.
    let start = sqlite3_value_text(value)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  /// The bytes of a blob, empty for NULL. They become invalid with the row, as those of `text(_:)` do.
  @inlinable @inline(__always)
  package func blob(_ column: Int) -> UnsafeRawBufferPointer {
    if word.isDeferred { return word.bytes(column) }
    let value = sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
    let start = sqlite3_value_blob(value)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
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

/// A row of SQLite as the values that it stores.
extension Row {
  enum StoredType {
    case null, integer, float, text, blob
  }

  var columnCount: Int { Int(sqlite3_data_count(handle)) }

  func type(of column: Int) -> StoredType {
    switch sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .float
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }
}
