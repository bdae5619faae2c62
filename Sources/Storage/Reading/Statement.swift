import CSQLite

/// A prepared statement of a reader or a write transaction. Bind its parameters, then run it with a method that
/// finishes it (`forEachRow`, `first`, `run`). It can then be used again.
///
/// The connection owns the statement. It must not outlive its reader or transaction or leave their thread, and the same
/// SQL must not be requested again while its rows are being read.
///
/// The statement of a reader without a connection of its own is a `DeferredStatement`. Every method checks which it is;
/// for a dashboard this costs a fraction of a percent, because a statement and its row stay one word.
@usableFromInline package struct Statement: Equatable {
  @usableFromInline let word: StatementWord

  @inlinable @inline(__always)
  init(_ handle: OpaquePointer) { word = StatementWord(handle) }

  init(_ deferred: DeferredStatement) { word = StatementWord(deferred) }

  @inlinable @inline(__always)
  var handle: OpaquePointer { word.handle }

  // MARK: Parameters, numbered from 1. An unbound parameter is NULL.

  @inlinable @inline(__always)
  package func bind(_ value: Int64, at parameter: Int) throws(DatabaseError) {
    if word.isDeferred { return word.bind(value, at: parameter) }
    try check(sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: parameter), value))
  }

  @inlinable @inline(__always)
  package func bind(_ value: Int64?, at parameter: Int) throws(DatabaseError) {
    if let value { try bind(value, at: parameter) } else { try bindNull(parameter) }
  }

  @inlinable @inline(__always)
  package func bind(_ value: Bool, at parameter: Int) throws(DatabaseError) {
    try bind(value ? 1 as Int64 : 0, at: parameter)
  }

  @inlinable @inline(__always)
  package func bind(_ value: Double, at parameter: Int) throws(DatabaseError) {
    if word.isDeferred { return word.bind(value, at: parameter) }
    try check(sqlite3_bind_double(handle, Int32(truncatingIfNeeded: parameter), value))
  }

  @inlinable @inline(__always)
  package func bind(_ value: Double?, at parameter: Int) throws(DatabaseError) {
    if let value { try bind(value, at: parameter) } else { try bindNull(parameter) }
  }

  @inlinable @inline(__always)
  package func bindNull(_ parameter: Int) throws(DatabaseError) {
    if word.isDeferred { return word.bindNull(parameter) }
    try check(sqlite3_bind_null(handle, Int32(truncatingIfNeeded: parameter)))
  }

  @inlinable
  package func bind(_ value: String, at parameter: Int) throws(DatabaseError) {
    var value = value
    try check(value.withUTF8 { bindText(UnsafeRawBufferPointer($0), at: parameter) })
  }

  @inlinable
  package func bind(_ value: String?, at parameter: Int) throws(DatabaseError) {
    if let value { try bind(value, at: parameter) } else { try bindNull(parameter) }
  }

  /// Binds a copy of the UTF-8 bytes. The caller guarantees that they are valid UTF-8.
  @inlinable
  package func bind(text: UnsafeRawBufferPointer, at parameter: Int) throws(DatabaseError) {
    try check(bindText(text, at: parameter))
  }

  /// Binds a copy of the bytes as a blob.
  @inlinable
  package func bind(blob: UnsafeRawBufferPointer, at parameter: Int) throws(DatabaseError) {
    if word.isDeferred { return word.bind(blob: blob, at: parameter) }
    let start = blob.baseAddress ?? UnsafeRawPointer(handle)
    try check(
      sqlite3_bind_blob64(
        handle,
        Int32(truncatingIfNeeded: parameter),
        start,
        UInt64(blob.count),
        copiedBySQLite
      )
    )
  }

  /// Binds a copy of the keys as the argument of `keys(?)`: see `KeysTable`.
  package func bind(keys: [Int64], at parameter: Int) throws(DatabaseError) {
    if word.isDeferred { return word.bind(keys: keys, at: parameter) }
    try check(KeysTable.bind(keys, to: handle, at: Int32(truncatingIfNeeded: parameter)))
  }

  /// The same for keys that are not in an array. `key` returns the one at an index.
  package func bind(keys count: Int, at parameter: Int, _ key: (Int) -> Int64) throws(DatabaseError) {
    if word.isDeferred { return word.bind(keys: (0..<count).map(key), at: parameter) }
    try check(
      KeysTable.bind(count: count, to: handle, at: Int32(truncatingIfNeeded: parameter)) { block in
        for index in 0..<count { block[index] = key(index) }
      }
    )
  }

  @inlinable @inline(__always)
  func bindText(_ text: UnsafeRawBufferPointer, at parameter: Int) -> Int32 {
    if word.isDeferred {
      word.bind(text: text, at: parameter)
      return SQLITE_OK
    }
    // A null pointer would bind NULL instead of the empty text, so empty text gets some valid pointer.
    let start = text.baseAddress ?? UnsafeRawPointer(handle)
    return sqlite3_bind_text64(
      handle,
      Int32(truncatingIfNeeded: parameter),
      start.assumingMemoryBound(to: CChar.self),
      UInt64(text.count),
      copiedBySQLite,
      UInt8(SQLITE_UTF8)
    )
  }

  @inlinable @inline(__always)
  func check(_ result: Int32) throws(DatabaseError) {
    if result != SQLITE_OK { throw DatabaseError(result, of: handle) }
  }

  // MARK: Running

  /// Calls `body` with each row. The statement is finished even when `body` throws.
  @inlinable @inline(__always)
  package func forEachRow(_ body: (Row) throws(DatabaseError) -> Void) throws(DatabaseError) {
    while try step() {
      do throws(DatabaseError) { try body(Row(word)) } catch {
        finishEarly()
        throw error
      }
    }
  }

  /// Calls `body` with each row until it returns false. The statement is finished even when `body` throws.
  @inlinable @inline(__always)
  package func readRows(while body: (Row) throws(DatabaseError) -> Bool) throws(DatabaseError) {
    while try step() {
      var wantsMore = false
      defer { if !wantsMore { finishEarly() } }
      wantsMore = try body(Row(word))
      if !wantsMore { return }
    }
  }

  /// Returns the result of `body` for the first row, or nil if there is no row.
  @inlinable @inline(__always)
  package func first<Value>(_ body: (Row) throws(DatabaseError) -> Value) throws(DatabaseError) -> Value? {
    guard try step() else { return nil }
    defer { finish() }
    return try body(Row(word))
  }

  /// Runs the statement and ignores its rows.
  @inlinable
  package func run() throws(DatabaseError) {
    if word.isDeferred { return try word.run() }
    while try step() {}
  }

  /// The number of virtual machine steps that the statement has taken since the last call. This is a measure of cost
  /// that does not depend on the machine. For tests of loaders.
  package func takeSteps() -> Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1)) }

  /// Advances to the next row. A result of false, or an error, finishes the statement; a caller that stops earlier must
  /// call `finish()`. Only the methods above call this, so that no statement is left running.
  @inlinable @inline(__always)
  func step() throws(DatabaseError) -> Bool {
    if word.isDeferred { return try word.step() }
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE {
      finish()
      return false
    }
    throw failure(result)
  }

  // Not inlined, because they run at most once for a statement, or never.

  @usableFromInline @inline(never)
  func failure(_ result: Int32) -> DatabaseError {
    let error = DatabaseError(result, of: handle)
    finish()
    return error
  }

  @usableFromInline @inline(never)
  func finishEarly() { finish() }

  /// Resets the statement and clears its bindings, so that a parameter that the next use does not bind is NULL instead
  /// of a value of an earlier request.
  @inlinable @inline(__always)
  func finish() {
    if word.isDeferred { return word.finish() }
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }
}

/// SQLITE_TRANSIENT, a macro that Swift does not import: the value -1 in the position of a destructor. SQLite then
/// makes its own copy and never calls it.
@usableFromInline nonisolated(unsafe) let copiedBySQLite = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
