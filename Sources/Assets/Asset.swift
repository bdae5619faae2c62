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

  private init(_ file: EmbeddedFile) {
    let name = String(cString: file.path)
    // The pointer is to `count` bytes that live as long as the program: see CAssets.h.
    self.init(
      path: name.isEmpty ? "/graphql" : "/graphql/\(name)",
      mediaType: contentType(of: name),
      bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    )
  }

  /// Every file of the program, each to be served under its own `path`: the table in CAssets.c.
  package static let all: [Asset] = (0..<embedded_file_count).map { Asset(embedded_file($0)) }
}

private func contentType(of name: String) -> String {
  switch name.split(separator: ".").last {
  case "js": "text/javascript; charset=utf-8"
  case "css": "text/css; charset=utf-8"
  case "svg": "image/svg+xml"
  // `application/graphql` has been a request's body in the field; as text, a browser shows it instead of saving it.
  case "graphql": "text/plain; charset=utf-8"
  default: "text/html; charset=utf-8"
  }
}

/// FNV-1a over the bytes, and their number. Not `Hasher`: its seed is another one in each process, and a tag must
/// outlive a restart, and be the same on every server behind one name.
private func fingerprint(of bytes: [UInt8]) -> String {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return String(hash, radix: 16) + "-" + String(bytes.count, radix: 16)
}
