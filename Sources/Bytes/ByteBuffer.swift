import Glibc

/// A growable byte buffer with a single owner, for responses and for the text of a request's objects.
///
/// Why not `[UInt8]`: a response consists of about six hundred small appends, and an append to an array costs a
/// uniqueness check and a bounds check in addition to the store.
@usableFromInline package struct ByteBuffer: ~Copyable {
  /// Owned by this value. It has `capacity` bytes, of which the first `count` are initialized. The pointer only escapes
  /// for the duration of `withUnsafeBytes`.
  @usableFromInline var base: UnsafeMutableRawPointer
  @usableFromInline package var capacity: Int
  /// The number of bytes written.
  @usableFromInline package var count: Int

  package init(capacity: Int) {
    self.capacity = max(capacity, 64)
    base = Memory.allocate(self.capacity)
    count = 0
  }

  /// A copy of bytes.
  package init(_ bytes: [UInt8]) {
    self.init(capacity: bytes.count)
    append(bytes)
  }

  /// An empty buffer, which allocates memory with the first append.
  package init() {
    capacity = 0
    base = Self.noBytes
    count = 0
  }

  /// The base of buffers without capacity, where nothing is read or written: an address that is not null.
  private static var noBytes: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped }

  deinit { if capacity > 0 { Memory.release(base) } }

  @inlinable package var isEmpty: Bool { count == 0 }

  /// Reserves capacity for `more` further bytes.
  @inlinable @inline(__always)
  package mutating func reserve(_ more: Int) {
    if count &+ more > capacity { grow(by: more) }
  }

  @usableFromInline @inline(never)
  mutating func grow(by more: Int) {
    let grown = max(capacity * 2, count + more, 64)
    let fresh = Memory.allocate(grown)
    fresh.copyMemory(from: base, byteCount: count)
    if capacity > 0 { Memory.release(base) }
    base = fresh
    capacity = grown
  }

  @inlinable @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  @inlinable @inline(__always)
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    (base + count).copyMemory(from: source, byteCount: bytes.count)
    count &+= bytes.count
  }

  @inlinable
  package mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  @inlinable
  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { append($0) }
  }

  @inlinable @inline(__always)
  package mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Disfavoured, so that a literal is a `StaticString`: as a `String`, its parts were found again for each response.
  @_disfavoredOverload
  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  package mutating func append(_ other: borrowing ByteBuffer) {
    append(UnsafeRawBufferPointer(start: other.base, count: other.count))
  }

  /// Appends a copy of earlier bytes of the buffer.
  @inlinable
  package mutating func append(copyOf range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    reserve(range.count)
    (base + count).copyMemory(from: base + range.lowerBound, byteCount: range.count)
    count &+= range.count
  }

  /// Appends a number in decimal digits.
  package mutating func append(decimal number: Int64) {
    if number >= 0 && number < 10 {
      append(UInt8(truncatingIfNeeded: number) &+ 0x30)
      return
    }
    reserve(20)
    var magnitude = number.magnitude
    var length = number < 0 ? 1 : 0
    var rest = magnitude
    repeat {
      length &+= 1
      rest /= 10
    } while rest != 0
    if number < 0 { base.storeBytes(of: 0x2D, toByteOffset: count, as: UInt8.self) }
    var at = count &+ length
    repeat {
      at &-= 1
      base.storeBytes(of: UInt8(truncatingIfNeeded: magnitude % 10) &+ 0x30, toByteOffset: at, as: UInt8.self)
      magnitude /= 10
    } while magnitude != 0
    count &+= length
  }

  /// Appends the bytes of a number in memory.
  package mutating func append(bytesOf number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number) { append($0) }
  }

  /// Removes all but the first `length` bytes.
  @inlinable
  package mutating func truncate(to length: Int) {
    precondition(length <= count)
    count = length
  }

  /// Removes the first `length` bytes and moves the rest to the front.
  package mutating func removeFirst(_ length: Int) {
    precondition(length <= count)
    count -= length
    base.copyMemory(from: base + length, byteCount: count)
  }

  @inlinable
  package mutating func removeAll() { count = 0 }

  /// Calls `body` with the bytes written so far. The pointer is only valid within `body`.
  @inlinable @inline(__always)
  package borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Calls `body` with uninitialized room for `length` bytes at the end. `body` returns the number of bytes written.
  @inlinable
  package mutating func appendUnsafe(capacity length: Int, _ body: (UnsafeMutableRawPointer) -> Int) {
    reserve(length)
    let written = body(base + count)
    precondition(written <= length)
    count &+= written
  }

  /// A copy of the bytes.
  package func array() -> [UInt8] {
    withUnsafeBytes { Array($0) }
  }
}

// `@unchecked Sendable`: a noncopyable value has one owner at a time, and moving it transfers its memory.
extension ByteBuffer: @unchecked Sendable {}
