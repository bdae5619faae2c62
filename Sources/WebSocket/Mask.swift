/// Takes the mask off what a client sends (RFC 6455, section 5.3).
enum Mask {
  /// Writes `source` without its mask to `target`, which must have room for as much; they may be the same bytes. Eight
  /// bytes are done at a time. `offset` says how many bytes of the frame came before.
  static func remove(
    _ mask: UInt32,
    from source: UnsafeRawBufferPointer,
    to target: UnsafeMutableRawPointer,
    offset: Int
  ) {
    guard let base = source.baseAddress else { return }
    // The mask's bytes as they meet the source's, from its first on.
    let turn = UInt32(truncatingIfNeeded: offset & 3) &* 8
    let turned = turn == 0 ? mask : mask >> turn | mask << (32 &- turn)
    let word = (UInt64(turned) << 32 | UInt64(turned)).littleEndian
    var at = 0
    while at &+ 8 <= source.count {
      let bytes = base.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      target.storeBytes(of: bytes ^ word, toByteOffset: at, as: UInt64.self)
      at &+= 8
    }
    while at < source.count {
      let byte = UInt8(truncatingIfNeeded: turned >> (UInt32(truncatingIfNeeded: at & 3) &* 8))
      target.storeBytes(of: base.load(fromByteOffset: at, as: UInt8.self) ^ byte, toByteOffset: at, as: UInt8.self)
      at &+= 1
    }
  }
}
