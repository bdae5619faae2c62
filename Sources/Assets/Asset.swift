import CAssets

/// A file that is part of the program: its bytes, and what a client must be told of them.
package struct Asset: Sendable {
  /// The path that the page's own references use, and under which it is to be served.
  package let path: String
  /// The value of `Content-Type`.
  package let mediaType: String
  /// The file's content, unchanged.
  package let bytes: [UInt8]
  /// A strong validator (RFC 9110, section 8.8.3), quotes included: the same for the same bytes in every process.
  package let entityTag: String

  init(path: String, mediaType: String, bytes: [UInt8]) {
    self.path = path
    self.mediaType = mediaType
    self.bytes = bytes
    entityTag = "\"\(fingerprint(of: bytes))\""
  }

  init(path: String, mediaType: String, file: EmbeddedFile) {
    // The pointer is to `count` bytes that live as long as the program: see CAssets.h.
    self.init(
      path: path,
      mediaType: mediaType,
      bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    )
  }
}

/// FNV-1a over the bytes, and their number. Not `Hasher`: its seed is another one in each process, and a tag must
/// outlive a restart, and be the same on every server behind one name.
private func fingerprint(of bytes: [UInt8]) -> String {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return String(hash, radix: 16) + "-" + String(bytes.count, radix: 16)
}
