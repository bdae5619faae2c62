import Bytes

/// Writing the frames of a server: unmasked, with one message per frame (RFC 6455, section 5.2).
extension ByteBuffer {
  package mutating func append(frame opcode: Opcode, _ payload: UnsafeRawBufferPointer) {
    reserve(payload.count &+ 10)
    appendHeader(ofFrame: opcode, length: payload.count)
    append(payload)
  }

  package mutating func append(frame opcode: Opcode, _ payload: [UInt8]) {
    payload.withUnsafeBytes { append(frame: opcode, $0) }
  }

  /// Appends the header of a frame. The caller appends its payload.
  package mutating func appendHeader(ofFrame opcode: Opcode, length: Int) {
    append(0x80 | opcode.rawValue)
    switch length {
    case ..<126: append(UInt8(truncatingIfNeeded: length))
    case ..<65536:
      append(126)
      append(UInt8(truncatingIfNeeded: length >> 8))
      append(UInt8(truncatingIfNeeded: length))
    default:
      append(127)
      for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: length >> shift)) }
    }
  }

  /// Appends a close frame. The reason is truncated at a character boundary to fit a control frame.
  package mutating func append(close reason: CloseReason?) {
    guard let reason else { return append(frame: .close, []) }
    var payload = [
      UInt8(truncatingIfNeeded: reason.code.rawValue >> 8), UInt8(truncatingIfNeeded: reason.code.rawValue),
    ]
    for scalar in reason.text.unicodeScalars {
      guard payload.count + UTF8.width(scalar) <= 125 else { break }
      payload += Array(String(scalar).utf8)
    }
    append(frame: .close, payload)
  }
}
