import Bytes

/// Writing chunked bodies (RFC 9112, section 7.1).
extension ByteBuffer {
  /// `bytes` must not be empty, because an empty chunk ends the body.
  package mutating func append(chunk bytes: UnsafeRawBufferPointer) {
    precondition(!bytes.isEmpty, "an empty chunk ends a body")
    append(String(bytes.count, radix: 16))
    append("\r\n")
    append(bytes)
    append("\r\n")
  }

  package mutating func appendLastChunk() { append("0\r\n\r\n") }
}
