/// The hash of a name, computed once by the lexer and used for every lookup of the name: in the tables of the schema,
/// and among the names of a document.
///
/// The seed is random in every process, so an attacker cannot prepare a document whose names have equal hashes.
@usableFromInline package enum NameHash {
  private static let processSeed = UInt64.random(in: .min ... .max) | 1
  /// Copy this to a local variable before a loop: the lazy initialization check of a global costs as much as hashing a
  /// short name.
  package static var seed: UInt64 { processSeed }

  @inlinable @inline(__always)
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt32 {
    var state = begin(seed: seed)
    var at = 0
    while at &+ 8 <= bytes.count {
      state = add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)), to: state)
      at &+= 8
    }
    var tail: UInt64 = 0
    while at < bytes.count {
      tail = tail &<< 8 | UInt64(bytes[at])
      at &+= 1
    }
    return end(state, tail: tail, count: bytes.count)
  }

  // The steps of `hash`, for the lexer, which computes the hash of a name while it searches for the end of the name.

  @inlinable @inline(__always)
  static func begin(seed: UInt64) -> UInt64 { seed }

  /// Adds eight bytes, the first byte lowest.
  @inlinable @inline(__always)
  static func add(_ bytes: UInt64, to state: UInt64) -> UInt64 { mix(state ^ bytes) }

  /// Adds the remaining bytes, at most seven, as a big-endian number, and the length of the whole name.
  @inlinable @inline(__always)
  static func end(_ state: UInt64, tail: UInt64, count: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: mix(state ^ tail ^ UInt64(truncatingIfNeeded: count) &<< 56))
  }

  /// Multiplies and combines both halves of the 128-bit product.
  @inlinable @inline(__always)
  static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }

  package static func hash(_ name: String) -> UInt32 {
    var name = name
    return name.withUTF8 { hash(UnsafeRawBufferPointer($0), seed: seed) }
  }
}
