/// The target of a request (RFC 9112, section 3.2) and the ranges of its parts.
package struct RequestTarget: Sendable, Equatable {
  package enum Form: Sendable {
    /// `/path?query`
    case origin
    /// `http://host/path?query`, as sent to proxies. Its host overrides the Host header.
    case absolute
    /// `host:port`, for CONNECT only.
    case authority
    /// `*`, for OPTIONS only.
    case asterisk
  }

  private(set) var form = Form.origin
  private(set) var whole = Extent()
  /// Empty for `authority`, `asterisk`, and an absolute target without a path, which means `/`.
  private(set) var path = Extent()
  /// The text after the question mark; nil if there is none.
  private(set) var query: Extent?
  private(set) var authority: Extent?
}

extension RequestTarget {
  /// Parses a target that spans `range`. Nil if it is invalid for the method.
  @inline(__always)
  init?(in bytes: UnsafeRawBufferPointer, at range: Range<Int>, method: Method, isConnect: Bool) {
    guard !range.isEmpty else { return nil }
    whole = Extent(range)
    let isValid: Bool
    if isConnect {
      isValid = readAuthority(in: bytes)
    } else if bytes[range.lowerBound] == UInt8(ascii: "/") {
      isValid = readPathAndQuery(in: bytes, from: range.lowerBound)
    } else if bytes[range.lowerBound] == UInt8(ascii: "*") {
      form = .asterisk
      isValid = method == .options && range.count == 1
    } else {
      isValid = readAbsolute(in: bytes)
    }
    guard isValid else { return nil }
  }

  private mutating func readPathAndQuery(in bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    var at = start
    let end = whole.range.upperBound
    let pathCharacters = CharacterSet.path
    while at < end, pathCharacters.contains(bytes[at]) { at &+= 1 }
    path = Extent(start..<at)
    if at == end { return true }
    guard bytes[at] == UInt8(ascii: "?") else { return false }
    at &+= 1
    let queryStart = at
    let queryCharacters = CharacterSet.query
    while at < end, queryCharacters.contains(bytes[at]) { at &+= 1 }
    query = Extent(queryStart..<at)
    return at == end
  }

  private mutating func readAbsolute(in bytes: UnsafeRawBufferPointer) -> Bool {
    form = .absolute
    let text = UnsafeRawBufferPointer(rebasing: bytes[whole.range])
    let schemeLength: Int
    if text.hasPrefixIgnoringCase("http://") {
      schemeLength = 7
    } else if text.hasPrefixIgnoringCase("https://") {
      schemeLength = 8
    } else {
      return false
    }
    var at = whole.range.lowerBound + schemeLength
    let host = at
    while at < whole.range.upperBound, bytes[at] != UInt8(ascii: "/"), bytes[at] != UInt8(ascii: "?") { at += 1 }
    authority = Extent(host..<at)
    guard Host.isValid(UnsafeRawBufferPointer(rebasing: bytes[host..<at])) else { return false }
    return readPathAndQuery(in: bytes, from: at)
  }

  private mutating func readAuthority(in bytes: UnsafeRawBufferPointer) -> Bool {
    form = .authority
    authority = whole
    let text = UnsafeRawBufferPointer(rebasing: bytes[whole.range])
    return Host.isValid(text) && Host.hasPort(text)
  }
}
