/// A parsed head: ranges relative to the first byte of the request, and the framing that they determine.
struct RequestHead: Sendable {
  var method = Method.other
  var methodText = Extent()
  var target = RequestTarget()
  var version = HTTPVersion.http11
  /// Nil until the request line is read.
  var table: HeaderTable?
  /// A bit set of the recognized names that occur, so that looking up a missing header is a single test.
  var present: UInt64 = 0

  /// Nil without Content-Length.
  var contentLength: Int?
  var isChunked = false
  /// Whether the body is `multipart/form-data`.
  var isForm = false
  var expectsContinue = false
  var asksToClose = false
  var asksToKeepAlive = false
  var asksToUpgrade = false

  var bodyLength: Int { contentLength ?? 0 }

  /// RFC 9112, section 9.3.
  var keepAlive: Bool {
    if asksToClose { return false }
    return version == .http11 || asksToKeepAlive
  }

  var fields: HeaderTable { table ?? HeaderTable() }

  @inline(__always)
  func has(_ name: HeaderName) -> Bool { present & (1 &<< UInt64(name.rawValue)) != 0 }
}
