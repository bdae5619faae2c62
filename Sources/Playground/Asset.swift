import Basics
import CPlayground

/// A file that is embedded in the program, with the metadata for its HTTP response.
package struct Asset: Sendable {
  /// The path under which the file is served and referenced by the page.
  package let path: String
  /// The value of `Content-Type`.
  package let mediaType: String
  /// The content of the file.
  package let bytes: [UInt8]
  /// The value of `Content-Security-Policy`.
  package let securityPolicy: String
  /// A strong entity tag (RFC 9110, section 8.8.3) including its quotation marks, which only depends on the bytes.
  package let entityTag: String

  package init(
    path: String,
    mediaType: String,
    bytes: [UInt8],
    securityPolicy: String = PlaygroundPage.securityPolicy
  ) {
    self.path = path
    self.securityPolicy = securityPolicy
    self.mediaType = mediaType
    self.bytes = bytes
    entityTag = "\"\(fingerprint(of: bytes))\""
  }

  /// A file below the endpoint, or the page at the endpoint itself if the name is empty.
  package init(_ name: String, below endpoint: String, bytes: [UInt8]) {
    self.init(
      path: name.isEmpty ? endpoint : "\(endpoint)/\(name)",
      mediaType: contentType(of: name),
      bytes: bytes,
      securityPolicy: name == ScriptFrame.name ? ScriptFrame.securityPolicy : PlaygroundPage.securityPolicy
    )
  }

  /// The schema as a file, at the path from which the playground loads it.
  package static func schema(_ sdl: String, below endpoint: String) -> Asset {
    Asset("schema.graphql", below: endpoint, bytes: Array(sdl.utf8))
  }
}

extension EmbeddedFile {
  package var name: String { String(cString: path) }

  /// The pointer refers to `count` bytes that exist for the life of the process: see CPlayground.h.
  package var content: [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: count)) }
}

private func contentType(of name: String) -> String {
  switch name.split(separator: ".").last {
  case "js": "text/javascript; charset=utf-8"
  case "css": "text/css; charset=utf-8"
  case "svg": "image/svg+xml"
  // Browsers show text but download unknown types. `application/graphql` has been used for request bodies.
  case "graphql": "text/plain; charset=utf-8"
  default: "text/html; charset=utf-8"
  }
}

/// FNV-1a over the bytes, and their number. `Hasher` has a different seed in each process, but a tag must survive a
/// restart and be the same on every server behind a load balancer.
private func fingerprint(of bytes: [UInt8]) -> String {
  String(FNV1a.hash(of: bytes), radix: 16) + "-" + String(bytes.count, radix: 16)
}
