/// The hash of a name, made once while lexing and used for every lookup of that name afterwards: in the schema's
/// tables, and among the names of one document.
///
/// It is seeded once a process, so that nobody can prepare a document whose names all collide.
package enum NameHash {
  private static let processSeed = UInt64.random(in: .min ... .max) | 1
  /// Take it into a local before a loop: a global's first-use check costs as much as hashing a short name.
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

  // The steps of `hash`, for the lexer, which hashes a name while it looks for the name's end.

  @inlinable @inline(__always)
  static func begin(seed: UInt64) -> UInt64 { seed }

  /// Takes in eight bytes, the first of them lowest.
  @inlinable @inline(__always)
  static func add(_ bytes: UInt64, to state: UInt64) -> UInt64 { mix(state ^ bytes) }

  /// Takes in the up to seven bytes that are left, as a big-endian number, and the length of the whole name.
  @inlinable @inline(__always)
  static func end(_ state: UInt64, tail: UInt64, count: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: mix(state ^ tail ^ UInt64(truncatingIfNeeded: count) &<< 56))
  }

  /// Multiply and fold: both halves of the 128-bit product.
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
