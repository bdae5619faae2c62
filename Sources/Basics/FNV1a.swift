/// FNV-1a with 64 bits. The hash is the same in every process, which `Hasher` does not guarantee. It finds faults, not
/// attacks.
@usableFromInline package struct FNV1a {
  /// The hash of the bytes so far.
  @usableFromInline package var value: UInt64 = 0xCBF2_9CE4_8422_2325

  @usableFromInline package init() {}

  @inlinable package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  @inlinable package static func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = FNV1a()
    hash.add(bytes)
    return hash.value
  }
}
