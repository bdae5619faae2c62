/// What an introspection result is written to. It is written twice, to count its bytes and to store them: counting
/// costs less than a buffer that grows and is copied, and nothing is stored of a result that is too large.
protocol IntrospectionOutput {
  associatedtype Failure: Error
  /// The number of bytes written.
  var count: Int { get }
  /// Fails if more has been written than is allowed.
  func requireRoom() throws(Failure)
  mutating func append(_ byte: UInt8)
  /// `IntrospectionTable.padding` more bytes can be read.
  mutating func append(_ bytes: UnsafeRawPointer, count length: Int)
  /// Appends bytes that were written before.
  mutating func append(copyFrom start: Int, count length: Int)
}

/// The number of bytes of a result.
struct IntrospectionSize: IntrospectionOutput {
  /// The result exceeds the size that is allowed.
  struct Overflow: Error {}

  private(set) var count = 0
  /// The size grows exponentially with the depth of nested type lists, so it is bounded.
  let maximum: Int

  @inline(__always) func requireRoom() throws(Overflow) {
    guard count <= maximum else { throw Overflow() }
  }

  @inline(__always) mutating func append(_ byte: UInt8) { count &+= 1 }

  @inline(__always) mutating func append(_ bytes: UnsafeRawPointer, count length: Int) { count &+= length }

  @inline(__always) mutating func append(copyFrom start: Int, count length: Int) { count &+= length }
}

/// Memory for a result of known size, and `IntrospectionTable.padding` more bytes, which are overwritten.
struct IntrospectionMemory: IntrospectionOutput {
  let base: UnsafeMutableRawPointer
  private(set) var count = 0

  init(_ base: UnsafeMutableRawPointer) { self.base = base }

  @inline(__always) func requireRoom() throws(Never) {}

  @inline(__always) mutating func append(_ byte: UInt8) {
    base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  @inline(__always) mutating func append(_ bytes: UnsafeRawPointer, count length: Int) {
    (base + count).copyBlocks(from: bytes, count: length)
    count &+= length
  }

  @inline(__always) mutating func append(copyFrom start: Int, count length: Int) {
    (base + count).copyBlocks(from: base + start, count: length)
    count &+= length
  }
}

extension UnsafeMutableRawPointer {
  /// Copies `count` bytes in blocks of 32, the last of which can extend beyond them. Most texts have one or two blocks,
  /// which take less time than a call of `memcpy`.
  @inline(__always)
  fileprivate func copyBlocks(from source: UnsafeRawPointer, count: Int) {
    guard count <= 256 else { return copyMemory(from: source, byteCount: count) }
    var copied = 0
    repeat {
      (self + copied).copyMemory(from: source + copied, byteCount: 32)
      copied &+= 32
    } while copied < count
  }
}
