/// The header of a client's frame, which is masked (RFC 6455, section 5.2).
struct FrameHeader {
  let opcode: Opcode
  let isFinal: Bool
  let length: Int
  /// The four bytes of the mask, the first in the lowest byte.
  let mask: UInt32
  /// The length of the header in bytes.
  let byteCount: Int

  /// Parses a header; nil if it is incomplete. Errors are detected with the first invalid byte.
  static func read(_ bytes: UnsafeRawBufferPointer) throws(WebSocketFailure) -> FrameHeader? {
    guard let first = bytes.first else { return nil }
    guard first & 0x70 == 0 else { throw .reservedBits }
    guard let opcode = Opcode(rawValue: first & 0x0F) else { throw .reservedOpcode }
    let isFinal = first & 0x80 != 0
    guard isFinal || !opcode.isControl else { throw .fragmentedControlFrame }
    guard bytes.count > 1 else { return nil }
    let second = bytes[1]
    guard second & 0x80 != 0 else { throw .notMasked }
    let short = Int(second & 0x7F)
    guard short <= 125 || !opcode.isControl else { throw .longControlFrame }
    let extra = short == 126 ? 2 : short == 127 ? 8 : 0
    let byteCount = 2 + extra + 4
    guard bytes.count >= 2 + extra else { return nil }
    var length = UInt64(short)
    if extra > 0 {
      length = 0
      for offset in 0..<extra { length = length << 8 | UInt64(bytes[2 + offset]) }
      // Section 5.2: the length is encoded in as few bytes as possible, and its highest bit is 0.
      guard length >> 63 == 0, length >= (extra == 2 ? 126 : 1 << 16) else { throw .invalidLength }
    }
    guard bytes.count >= byteCount else { return nil }
    return FrameHeader(
      opcode: opcode,
      isFinal: isFinal,
      length: Int(length),
      mask: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 + extra, as: UInt32.self)),
      byteCount: byteCount
    )
  }
}
