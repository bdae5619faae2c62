/// The hash of a name, made once while lexing and used for every lookup of that name afterwards: in the schema's tables,
/// and among the names of one document.
///
/// It is seeded once a process, so that nobody can prepare a document whose names all collide.
package enum NameHash {
  private static let processSeed = UInt64.random(in: .min ... .max) | 1
  /// Take it into a local before a loop: a global's first-use check costs as much as hashing a short name.
  package static var seed: UInt64 { processSeed }

  @inlinable @inline(__always)
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt32 {
    var state = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    var at = 0
    while at &+ 8 <= bytes.count {
      state = mix(state ^ bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      at &+= 8
    }
    var tail: UInt64 = 0
    while at < bytes.count {
      tail = tail &<< 8 | UInt64(bytes[at])
      at &+= 1
    }
    state = mix(state ^ tail)
    return UInt32(truncatingIfNeeded: state)
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
