/// One request, whole. Its parts are places in the bytes that were received; text is made of them when asked for.
package struct HTTPRequest: Sendable {
  private let bytes: [UInt8]
  private let head: RequestHead
  private let bodyRange: Range<Int>
  /// The address that it came from; nil where nobody has looked.
  package var peer: String?

  init(bytes: [UInt8], head: RequestHead, body: Range<Int>) {
    self.bytes = bytes
    self.head = head
    bodyRange = body
  }

  package var method: Method { head.method }
  /// The method as it was sent, which says more where `method` is `other`.
  package var methodText: String { bytes[head.methodText.range].text }
  package var version: HTTPVersion { head.version }
  /// Whether the client lets the connection be used again (RFC 9112, section 9.3).
  package var keepAlive: Bool { head.keepAlive }
  /// Whether Connection has `upgrade`; to what is in the Upgrade header.
  package var asksToUpgrade: Bool { head.asksToUpgrade }

  /// How long the client says that the body is; nil where it does not say.
  package var contentLength: Int? { head.contentLength }
  /// The body, chunk framing taken off; empty when there is none.
  package var body: ArraySlice<UInt8> { bytes[bodyRange] }
}

extension HTTPRequest {
  package var targetForm: RequestTarget.Form { head.target.form }
  /// The target as it was sent.
  package var targetText: String { bytes[head.target.whole.range].text }
  /// The path as it was sent, still percent-encoded; `/` if an absolute target has none.
  package var path: ArraySlice<UInt8> {
    if head.target.path.isEmpty && head.target.form == .absolute { return Self.root }
    return bytes[head.target.path.range]
  }
  /// What follows the target's question mark, still encoded; nil when there is none. See `FormFields`.
  package var query: ArraySlice<UInt8>? { head.target.query.map { bytes[$0.range] } }

  /// Whom the request is for, as a host and perhaps a port: an absolute target's, or else the Host header's.
  /// Nil only for an HTTP/1.0 request that says neither.
  package var host: ArraySlice<UInt8>? {
    if let authority = head.target.authority { return bytes[authority.range] }
    return self[.host]
  }

  private static let root = ArraySlice("/".utf8)
}

extension HTTPRequest {
  package var headerCount: Int { head.fields.count }

  /// The first header of that name; nil when there is none. No bytes are copied.
  package subscript(name: HeaderName) -> ArraySlice<UInt8>? {
    guard head.has(name) else { return nil }
    for field in head.fields where field.name == name { return bytes[field.valueExtent.range] }
    return nil
  }

  /// The first header of a name that `HeaderName` does not have, which must be in lower case.
  package subscript(name: StaticString) -> ArraySlice<UInt8>? {
    for field in head.fields where bytes[field.nameExtent.range].equalsIgnoringCase(name) {
      return bytes[field.valueExtent.range]
    }
    return nil
  }

  /// All headers of that name, in the order they were sent.
  package func values(of name: HeaderName) -> [ArraySlice<UInt8>] {
    guard head.has(name) else { return [] }
    return head.fields.compactMap { $0.name == name ? bytes[$0.valueExtent.range] : nil }
  }

  /// All headers, in the order they were sent.
  package func forEachHeader(_ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void) {
    for field in head.fields { body(bytes[field.nameExtent.range], bytes[field.valueExtent.range]) }
  }
}
