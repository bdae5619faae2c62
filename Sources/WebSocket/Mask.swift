/// Unmasks the payload of a client (RFC 6455, section 5.3).
enum Mask {
  /// Writes the unmasked `source` to `target`, which must have the same size and can be the same memory. Processes
  /// eight bytes at a time. `offset` is the number of earlier bytes of the frame.
  static func remove(
    _ mask: UInt32,
    from source: UnsafeRawBufferPointer,
    to target: UnsafeMutableRawPointer,
    offset: Int
  ) {
    guard let base = source.baseAddress else { return }
    // The mask, rotated to align with the first byte of the source.
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
