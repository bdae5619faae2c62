import Glibc

/// A complete request. Its parts are ranges of the received bytes, converted to text on demand.
package struct HTTPRequest: Sendable {
  /// The received bytes, of which the parts of the request are ranges.
  package private(set) var bytes: [UInt8]
  private let head: RequestHead
  private let bodyRange: Range<Int>
  /// The address of the peer; nil if it was not determined.
  package var peer: String?

  init(bytes: [UInt8], head: RequestHead, body: Range<Int>) {
    self.bytes = bytes
    self.head = head
    bodyRange = body
  }

  /// Takes the received bytes out of the request, whose parts must not be read any more.
  mutating func takeBytes() -> [UInt8] {
    var bytes: [UInt8] = []
    swap(&bytes, &self.bytes)
    return bytes
  }

  package var method: Method { head.method }
  /// The method as sent, which distinguishes the methods of `.other`.
  package var methodText: String { bytes[head.methodText.range].text }
  package var version: HTTPVersion { head.version }
  /// Whether the client allows the connection to be reused (RFC 9112, section 9.3).
  package var keepAlive: Bool { head.keepAlive }
  /// Whether Connection contains `upgrade`. The protocol is in the Upgrade header.
  package var asksToUpgrade: Bool { head.asksToUpgrade }

  /// The declared length of the body; nil if it is not declared.
  package var contentLength: Int? { head.contentLength }
  /// The body without chunk framing; empty if there is none.
  package var body: ArraySlice<UInt8> { bytes[bodyRange] }
  package var bodyLength: Int { bodyRange.count }
}

extension HTTPRequest {
  package var targetForm: RequestTarget.Form { head.target.form }
  /// The request target as sent.
  package var targetText: String { bytes[head.target.whole.range].text }
  /// The path as sent, percent-encoded; `/` if an absolute target has none.
  package var path: ArraySlice<UInt8> {
    if head.target.path.isEmpty && head.target.form == .absolute { return Self.root }
    return bytes[head.target.path.range]
  }

  /// Whether the path is `text`. Reads the path in place: a slice of the bytes would be retained.
  package func hasPath(_ text: [UInt8]) -> Bool {
    if head.target.path.isEmpty && head.target.form == .absolute { return Self.root.equals(text) }
    return hasBytes(text, at: head.target.path.range)
  }
  /// The query of the target, still encoded; nil if there is none. See `FormFields`.
  package var query: ArraySlice<UInt8>? { head.target.query.map { bytes[$0.range] } }

  /// The host of the request, with an optional port: that of an absolute target, or of the Host header. Nil only for an
  /// HTTP/1.0 request without both.
  package var host: ArraySlice<UInt8>? { hostRange.map { bytes[$0] } }

  /// The range of `host` in the bytes of the request.
  package var hostRange: Range<Int>? { head.target.authority?.range ?? range(of: .host) }

  private static let root = ArraySlice("/".utf8)
}

extension HTTPRequest {
  package var headerCount: Int { head.fields.count }

  /// Whether there is a header with a name.
  package func has(_ name: HeaderName) -> Bool { head.has(name) }

  /// Whether the first header with a name is `value`. Reads it in place.
  package func has(_ name: HeaderName, _ value: [UInt8]) -> Bool {
    range(of: name).map { hasBytes(value, at: $0) } ?? false
  }

  /// Whether the first header with a name is `value`. Reads it in place.
  package func has(_ name: HeaderName, _ value: StaticString) -> Bool {
    guard let range = range(of: name) else { return false }
    return bytes.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[range]).equals(value) }
  }

  private func hasBytes(_ expected: [UInt8], at range: Range<Int>) -> Bool {
    guard range.count == expected.count else { return false }
    return bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return true }
      return memcmp(base + range.lowerBound, expected, expected.count) == 0
    }
  }

  /// Calls `body` with the value of each header with a name, in the order sent.
  func forEachValue(of name: HeaderName, _ body: (UnsafeRawBufferPointer) -> Void) {
    guard head.has(name), let table = head.table else { return }
    bytes.withUnsafeBytes { bytes in
      for index in table.indices where table[index].name == name {
        body(UnsafeRawBufferPointer(rebasing: bytes[table[index].valueExtent.range]))
      }
    }
  }

  /// The first header with a name; nil if there is none. Nothing is copied.
  package subscript(name: HeaderName) -> ArraySlice<UInt8>? { range(of: name).map { bytes[$0] } }

  /// The value of the header with a name, if the request has exactly one. The values of several form a list (RFC 9110,
  /// section 5.3).
  package func onlyValue(of name: HeaderName) -> ArraySlice<UInt8>? { count(of: name) == 1 ? self[name] : nil }

  /// The range of the first header with a name in the bytes of the request.
  package func range(of name: HeaderName) -> Range<Int>? {
    head.has(name) ? head.table?.first(name)?.valueExtent.range : nil
  }

  /// The first header with a name that `HeaderName` lacks. The name must be in lower case.
  package subscript(name: StaticString) -> ArraySlice<UInt8>? {
    for field in head.fields where bytes[field.nameExtent.range].equalsIgnoringCase(name) {
      return bytes[field.valueExtent.range]
    }
    return nil
  }

  /// The first header with a name, which must be in lower case and need not be one of `HeaderName`. Reads the names in
  /// place.
  /// - Parameter maximumBytes: Headers with longer values are ignored.
  package func firstValue(ofHeader name: String, upTo maximumBytes: Int = .max) -> ArraySlice<UInt8>? {
    guard let table = head.table else { return nil }
    let found = bytes.withUnsafeBytes { bytes in
      table.indices.first { index in
        table[index].hasName(name, in: bytes) && table[index].valueExtent.range.count <= maximumBytes
      }
    }
    return found.map { bytes[table[$0].valueExtent.range] }
  }

  /// The last header with a name, as `firstValue(ofHeader:upTo:)`.
  package func lastValue(ofHeader name: String) -> ArraySlice<UInt8>? {
    guard let table = head.table else { return nil }
    let found = bytes.withUnsafeBytes { bytes in table.indices.last { table[$0].hasName(name, in: bytes) } }
    return found.map { bytes[table[$0].valueExtent.range] }
  }

  /// All headers with a name, in the order sent.
  package func values(of name: HeaderName) -> [ArraySlice<UInt8>] {
    guard head.has(name) else { return [] }
    return head.fields.compactMap { $0.name == name ? bytes[$0.valueExtent.range] : nil }
  }

  /// The number of headers with a name.
  package func count(of name: HeaderName) -> Int {
    guard head.has(name) else { return 0 }
    return head.fields.count { $0.name == name }
  }

  /// All headers, in the order sent.
  package func forEachHeader(_ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void) {
    for field in head.fields { body(bytes[field.nameExtent.range], bytes[field.valueExtent.range]) }
  }
}

extension HeaderField {
  /// - Parameters:
  ///   - name: in lower case
  ///   - bytes: of the request
  fileprivate func hasName(_ name: String, in bytes: UnsafeRawBufferPointer) -> Bool {
    let range = nameExtent.range
    return range.count == name.utf8.count && zip(bytes[range], name.utf8).allSatisfy { $0.lowercased == $1 }
  }
}
