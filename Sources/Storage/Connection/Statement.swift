import CSQLite

/// A prepared statement of a reader or a write transaction. Bind its parameters, run it in one of the ways that finish
/// it (`forEachRow`, `first`, `run`), and it is ready for its next use.
///
/// A name for what the connection owns: it may not outlive its reader or transaction, nor leave their thread, and the
/// same SQL must not be asked for again while its rows are being walked.
@usableFromInline package struct Statement: Equatable {
  @usableFromInline let handle: OpaquePointer

  @inlinable @inline(__always)
  init(_ handle: OpaquePointer) { self.handle = handle }

  // MARK: Parameters, which count from 1. One that is not bound is NULL.

  @inlinable @inline(__always)
  package func bind(_ parameter: Int, _ value: Int64) throws(DatabaseError) {
    try check(sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: parameter), value))
  }

  @inlinable @inline(__always)
  package func bind(_ parameter: Int, _ value: Int64?) throws(DatabaseError) {
    if let value { try bind(parameter, value) } else { try bindNull(parameter) }
  }

  @inlinable @inline(__always)
  package func bind(_ parameter: Int, _ value: Bool) throws(DatabaseError) {
    try bind(parameter, value ? 1 as Int64 : 0)
  }

  @inlinable @inline(__always)
  package func bind(_ parameter: Int, _ value: Double) throws(DatabaseError) {
    try check(sqlite3_bind_double(handle, Int32(truncatingIfNeeded: parameter), value))
  }

  @inlinable @inline(__always)
  package func bind(_ parameter: Int, _ value: Double?) throws(DatabaseError) {
    if let value { try bind(parameter, value) } else { try bindNull(parameter) }
  }

  @inlinable @inline(__always)
  package func bindNull(_ parameter: Int) throws(DatabaseError) {
    try check(sqlite3_bind_null(handle, Int32(truncatingIfNeeded: parameter)))
  }

  @inlinable
  package func bind(_ parameter: Int, _ value: String) throws(DatabaseError) {
    var value = value
    try check(value.withUTF8 { bindText(parameter, UnsafeRawBufferPointer($0)) })
  }

  @inlinable
  package func bind(_ parameter: Int, _ value: String?) throws(DatabaseError) {
    if let value { try bind(parameter, value) } else { try bindNull(parameter) }
  }

  /// Binds UTF-8, which is copied. The caller answers for it being valid.
  @inlinable
  package func bind(_ parameter: Int, text: UnsafeRawBufferPointer) throws(DatabaseError) {
    try check(bindText(parameter, text))
  }

  /// Binds bytes, which are copied.
  @inlinable
  package func bind(_ parameter: Int, blob: UnsafeRawBufferPointer) throws(DatabaseError) {
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

  /// Binds the argument of `keys(?)`: see `KeysTable`. The keys are copied.
  package func bind(_ parameter: Int, keys: [Int64]) throws(DatabaseError) {
    try check(KeysTable.bind(keys, to: handle, at: Int32(truncatingIfNeeded: parameter)))
  }

  @inlinable @inline(__always)
  func bindText(_ parameter: Int, _ text: UnsafeRawBufferPointer) -> Int32 {
    // A null pointer would bind NULL, and empty text is not NULL: hence a pointer to something when there is nothing.
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

  /// Hands each row to `body`. When that throws, the statement is finished all the same.
  @inlinable @inline(__always)
  package func forEachRow(_ body: (Row) throws(DatabaseError) -> Void) throws(DatabaseError) {
    while try step() {
      do throws(DatabaseError) { try body(Row(handle)) } catch {
        finish()
        throw error
      }
    }
  }

  /// What `body` makes of the first row, or nil when there is none.
  @inlinable @inline(__always)
  package func first<Value>(_ body: (Row) throws(DatabaseError) -> Value) throws(DatabaseError) -> Value? {
    guard try step() else { return nil }
    defer { finish() }
    return try body(Row(handle))
  }

  /// Runs a statement whose rows, if it has any, are of no interest.
  @inlinable
  package func run() throws(DatabaseError) {
    while try step() {}
  }

  /// How many steps of SQLite's virtual machine its runs have taken since it was last asked: what they cost, on
  /// whatever machine. For the tests of loaders.
  package func takeSteps() -> Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1)) }

  /// To the next row. False, or an error, finishes the statement; whoever stops before that calls `finish`. What is
  /// left in the middle of its rows is finished with its transaction.
  @inlinable @inline(__always)
  package func step() throws(DatabaseError) -> Bool {
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE {
      finish()
      return false
    }
    let error = DatabaseError(result, of: handle)
    finish()
    throw error
  }

  /// The row that `step` came to.
  @inlinable @inline(__always)
  package var row: Row { Row(handle) }

  /// Makes the statement ready for its next use and lets go of what was bound to it: a parameter that is forgotten next
  /// time is NULL, and never what an earlier request has bound.
  @inlinable @inline(__always)
  package func finish() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }
}

/// SQLITE_TRANSIENT, a macro that Swift does not import: the value -1 where a destructor would be, at which SQLite
/// makes its own copy and never calls it.
@usableFromInline nonisolated(unsafe) let copiedBySQLite = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
