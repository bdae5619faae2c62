/// Whether a client prefers responses compressed with gzip (RFC 9110, section 12.5.3).
package enum AcceptEncoding {
  /// Parses the Accept-Encoding headers of a request. By the specification, a client without the header accepts any
  /// coding, but in practice it mostly supports none: its responses are not compressed. The same holds for a malformed
  /// header.
  package static func prefersGzip(_ request: HTTPRequest) -> Bool {
    var gzip: Int?
    var anything: Int?
    var identity: Int?
    var isWellFormed = true
    request.forEachValue(of: .acceptEncoding) { header in
      // What browsers and most libraries send. Parsing it would take 900 instructions for each response.
      if header.equals("gzip, deflate, br, zstd") || header.equals("gzip, deflate, br")
        || header.equals("gzip, deflate")
      {
        gzip = 1000
        return
      }
      header.forEachListMember { wish in
        guard let (coding, quality) = read(wish) else {
          isWellFormed = false
          return
        }
        if coding.equalsIgnoringCase("gzip") || coding.equalsIgnoringCase("x-gzip") {
          gzip = quality
        } else if coding.equalsIgnoringCase("identity") {
          identity = quality
        } else if coding.equals("*") {
          anything = quality
        }
      }
    }
    let wanted = gzip ?? anything ?? 0
    return isWellFormed && wanted > 0 && wanted >= identity ?? 0
  }

  private static func read(_ wish: UnsafeRawBufferPointer) -> (coding: UnsafeRawBufferPointer, quality: Int)? {
    var reader = FieldValueReader(wish)
    guard let coding = reader.takeToken() else { return nil }
    reader.skipWhitespace()
    if reader.isAtEnd { return (coding, 1000) }
    guard reader.take(UInt8(ascii: ";")) else { return nil }
    reader.skipWhitespace()
    guard reader.takeToken()?.equalsIgnoringCase("q") == true, reader.take(UInt8(ascii: "=")),
      let quality = reader.takeToken().flatMap({ Quality.thousandths(String(decoding: $0, as: UTF8.self)) }),
      reader.isAtEnd
    else { return nil }
    return (coding, quality)
  }
}
