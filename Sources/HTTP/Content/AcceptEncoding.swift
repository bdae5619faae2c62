/// Whether a client prefers responses compressed with gzip (RFC 9110, section 12.5.3).
package enum AcceptEncoding {
  /// Parses the Accept-Encoding headers of a request. By the specification, a client without the header accepts any
  /// coding, but in practice it mostly supports none: its responses are not compressed. The same holds for a malformed
  /// header.
  package static func prefersGzip(_ headers: [ArraySlice<UInt8>]) -> Bool {
    var gzip: Int?
    var anything: Int?
    var identity: Int?
    for header in headers {
      for wish in header.split(separator: UInt8(ascii: ",")) {
        guard let (coding, quality) = read(wish) else { return false }
        switch coding {
        case "gzip", "x-gzip": gzip = quality
        case "*": anything = quality
        case "identity": identity = quality
        default: break
        }
      }
    }
    let wanted = gzip ?? anything ?? 0
    return wanted > 0 && wanted >= identity ?? 0
  }

  private static func read(_ wish: ArraySlice<UInt8>) -> (coding: String, quality: Int)? {
    wish.withUnsafeBytes { bytes in
      var reader = FieldValueReader(bytes.trimmed)
      guard let coding = reader.takeToken()?.lowercasedText else { return nil }
      reader.skipWhitespace()
      if reader.isAtEnd { return (coding, 1000) }
      guard reader.take(UInt8(ascii: ";")) else { return nil }
      reader.skipWhitespace()
      guard reader.takeToken()?.lowercasedText == "q", reader.take(UInt8(ascii: "=")),
        let quality = reader.takeToken().flatMap({ Quality.thousandths(String(decoding: $0, as: UTF8.self)) }),
        reader.isAtEnd
      else { return nil }
      return (coding, quality)
    }
  }
}
