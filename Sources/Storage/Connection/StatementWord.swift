/// The address of a statement: of SQLite's, or of a `DeferredStatement`, which has the lowest bit set.
///
/// One word, so that it is passed in a register. It does not retain a deferred statement, which its reader owns.
@usableFromInline struct StatementWord: Equatable {
  @usableFromInline let bits: UInt

  @inlinable @inline(__always)
  init(_ handle: OpaquePointer) { bits = UInt(bitPattern: handle) }

  init(_ deferred: DeferredStatement) { bits = UInt(bitPattern: Unmanaged.passUnretained(deferred).toOpaque()) | 1 }

  @inlinable @inline(__always)
  var isDeferred: Bool { bits & 1 != 0 }

  /// Only if the statement is not deferred: addresses of SQLite's statements are never null.
  @inlinable @inline(__always)
  var handle: OpaquePointer { OpaquePointer(bitPattern: bits).unsafelyUnwrapped }

  var deferred: DeferredStatement {
    Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: bits ^ 1).unsafelyUnwrapped).takeUnretainedValue()
  }
}

/// What the methods of `Statement` and `Row` do if the statement is deferred: one call each that is not inlined, so
/// that the branch adds little code to their callers.
extension StatementWord {
  @usableFromInline @inline(never)
  func bind(_ value: Int64, at number: Int) { deferred.bind(.int64(value), at: number) }

  @usableFromInline @inline(never)
  func bind(_ value: Double, at number: Int) { deferred.bind(.double(value), at: number) }

  @usableFromInline @inline(never)
  func bindNull(_ number: Int) { deferred.bind(.null, at: number) }

  @usableFromInline @inline(never)
  func bind(text: UnsafeRawBufferPointer, at number: Int) { deferred.bind(.text(text), at: number) }

  @usableFromInline @inline(never)
  func bind(blob: UnsafeRawBufferPointer, at number: Int) { deferred.bind(.blob(blob), at: number) }

  func bind(keys: [Int64], at number: Int) { deferred.bind(.keys(keys), at: number) }

  @usableFromInline @inline(never)
  func step() throws(DatabaseError) -> Bool { try deferred.step() }

  @usableFromInline @inline(never)
  func run() throws(DatabaseError) { try deferred.run() }

  @usableFromInline @inline(never)
  func finish() { deferred.finish() }

  @usableFromInline @inline(never)
  func isNull(_ column: Int) -> Bool { deferred.isNull(column) }

  @usableFromInline @inline(never)
  func int64(_ column: Int) -> Int64 { deferred.int64(column) }

  @usableFromInline @inline(never)
  func double(_ column: Int) -> Double { deferred.double(column) }

  @usableFromInline @inline(never)
  func bytes(_ column: Int) -> UnsafeRawBufferPointer { deferred.bytes(column) }
}
