import CPlayground

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

  package init(path: String, mediaType: String, bytes: [UInt8]) {
    self.path = path
    self.mediaType = mediaType
    self.bytes = bytes
    entityTag = "\"\(fingerprint(of: bytes))\""
  }

  /// A file below the endpoint, or with an empty name the page at the endpoint itself.
  package init(_ name: String, below endpoint: String, bytes: [UInt8]) {
    self.init(path: name.isEmpty ? endpoint : "\(endpoint)/\(name)", mediaType: contentType(of: name), bytes: bytes)
  }

  /// The schema as a file, where the playground asks for it.
  package static func schema(_ sdl: String, below endpoint: String) -> Asset {
    Asset("schema.graphql", below: endpoint, bytes: Array(sdl.utf8))
  }
}

extension EmbeddedFile {
  package var name: String { String(cString: path) }

  /// The pointer is to `count` bytes that exist as long as the program: see CPlayground.h.
  package var content: [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: count)) }
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
