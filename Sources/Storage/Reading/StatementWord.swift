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

  var deferred: Unmanaged<DeferredStatement> {
    Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: bits ^ 1).unsafelyUnwrapped)
  }

  /// Calls `body` with the deferred statement, without retaining it.
  @inline(__always)
  func with<Result>(_ body: (DeferredStatement) -> Result) -> Result { deferred._withUnsafeGuaranteedRef(body) }
}

/// What the methods of `Statement` and `Row` do if the statement is deferred: one call each that is not inlined, so
/// that the branch adds little code to their callers.
extension StatementWord {
  @usableFromInline @inline(never)
  func bind(_ value: Int64, at number: Int) { with { $0.bind(.int64(value), at: number) } }

  @usableFromInline @inline(never)
  func bind(_ value: Double, at number: Int) { with { $0.bind(.double(value), at: number) } }

  @usableFromInline @inline(never)
  func bindNull(_ number: Int) { with { $0.bind(.null, at: number) } }

  @usableFromInline @inline(never)
  func bind(text: UnsafeRawBufferPointer, at number: Int) { with { $0.bind(.text(text), at: number) } }

  @usableFromInline @inline(never)
  func bind(blob: UnsafeRawBufferPointer, at number: Int) { with { $0.bind(.blob(blob), at: number) } }

  func bind(keys: [Int64], at number: Int) {
    keys.withUnsafeBytes { keys in with { $0.bind(.keys(keys), at: number) } }
  }

  @usableFromInline @inline(never)
  func step() throws(DatabaseError) -> Bool {
    try deferred.takeUnretainedValue().step()
  }

  @usableFromInline @inline(never)
  func run() throws(DatabaseError) { try deferred.takeUnretainedValue().run() }

  @usableFromInline @inline(never)
  func finish() { with { $0.finish() } }

  @usableFromInline @inline(never)
  func isNull(_ column: Int) -> Bool { with { $0.isNull(column) } }

  @usableFromInline @inline(never)
  func int64(_ column: Int) -> Int64 { with { $0.int64(column) } }

  @usableFromInline @inline(never)
  func double(_ column: Int) -> Double { with { $0.double(column) } }

  @usableFromInline @inline(never)
  func bytes(_ column: Int) -> UnsafeRawBufferPointer { with { $0.bytes(column) } }
}
