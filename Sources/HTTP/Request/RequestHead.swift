/// A request's head as it is found: places, counted from the request's first byte, and what they mean for its framing.
struct RequestHead: Sendable {
  var method = Method.other
  var methodText = Extent()
  var target = RequestTarget()
  var version = HTTPVersion.http11
  var fields: [HeaderField] = []
  /// One bit for each recognised name that is there, so that a lookup of what is not there is one test.
  var present: UInt64 = 0

  /// Nil when there is no Content-Length.
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

  @inline(__always)
  func has(_ name: HeaderName) -> Bool { present & (1 &<< UInt64(name.rawValue)) != 0 }
}
