import Bytes

/// Writing chunked bodies (RFC 9112, section 7.1).
extension ByteBuffer {
  /// `bytes` must not be empty, because an empty chunk ends the body.
  package mutating func append(chunk bytes: UnsafeRawBufferPointer) {
    appendHead(ofChunk: bytes.count)
    append(bytes)
    appendChunkEnd()
  }

  /// Appends what precedes the bytes of a chunk. The caller appends these, and `appendChunkEnd()`.
  package mutating func appendHead(ofChunk length: Int) {
    precondition(length > 0, "an empty chunk ends a body")
    append(String(length, radix: 16))
    append("\r\n")
  }

  package mutating func appendChunkEnd() { append("\r\n") }

  package mutating func appendLastChunk() { append("0\r\n\r\n") }
}
