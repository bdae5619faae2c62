import Glibc

/// Parses a `multipart/form-data` body (RFC 7578; RFC 2046, section 5.1) part by part, without copying the contents.
/// Takes time linear in the size of the body.
package struct MultipartReader {
  /// A part and its content.
  package struct Part {
    package let name: String
    /// The client's name of the file, with its escapes. Never use it as a path.
    package let fileName: String?
    package let contentType: String?
    package let content: ArraySlice<UInt8>
  }

  /// The head of a part has two or three short lines.
  private static let maximumHeadBytes = 4096

  private let body: ArraySlice<UInt8>
  /// `CR LF "--" boundary`, which ends a part.
  private let delimiter: [UInt8]
  private var at: Int
  private var isAtEnd = false

  /// - Parameter contentType: The content type of the request, with the boundary.
  package init(_ body: ArraySlice<UInt8>, contentType: MediaType) throws(MultipartError) {
    guard let boundary = contentType["boundary"], Self.isBoundary(boundary) else { throw .noBoundary }
    self.body = body
    delimiter = Array("\r\n--\(boundary)".utf8)
    at = body.startIndex
    // No line end has to precede the first delimiter. What does is a preamble, which is ignored.
    if body.starts(with: delimiter.dropFirst(2)) {
      at += delimiter.count - 2
    } else {
      guard let first = nextDelimiter() else { throw .wrongBoundary }
      at = first + delimiter.count
    }
    try endDelimiter()
  }

  /// `1*70 bchars` (RFC 2046, section 5.1.1).
  private static func isBoundary(_ text: String) -> Bool {
    (1...70).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: Array("'()+_,-./:=? ".utf8).contains(byte)
        }
      } && text.utf8.last != 0x20
  }

  /// The next part; nil when there is none.
  package mutating func next() throws(MultipartError) -> Part? {
    guard !isAtEnd else { return nil }
    let head = try readHead()
    let start = at
    guard let end = nextDelimiter() else { throw .unterminated }
    at = end + delimiter.count
    try endDelimiter()
    return Part(name: head.name, fileName: head.fileName, contentType: head.contentType, content: body[start..<end])
  }

  /// Reads the end of a delimiter: a line end, or the two hyphens of the closing delimiter.
  private mutating func endDelimiter() throws(MultipartError) {
    if body[at...].starts(with: [0x2D, 0x2D]) {
      isAtEnd = true
      return
    }
    while at < body.endIndex, body[at].isSpaceOrTab { at += 1 }
    guard body[at...].starts(with: [0x0D, 0x0A]) else { throw at == body.endIndex ? .unterminated : .wrongBoundary }
    at += 2
  }

  private func nextDelimiter() -> Int? {
    body.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress else { return nil }
      var index = at - body.startIndex
      while index < bytes.count, let found = memchr(base + index, 0x0D, bytes.count - index) {
        index = UnsafeRawPointer(found) - base
        // A delimiter contains one CR, at its start, so no byte is compared more than twice.
        if bytes.count - index >= delimiter.count, memcmp(base + index, delimiter, delimiter.count) == 0 {
          return index + body.startIndex
        }
        index += 1
      }
      return nil
    }
  }

  private struct Head {
    var name: String
    var fileName: String?
    var contentType: String?
  }

  private mutating func readHead() throws(MultipartError) -> Head {
    var head: Head?
    var contentType: String?
    var bytesLeft = Self.maximumHeadBytes
    while true {
      let window = body[at..<min(at + bytesLeft, body.endIndex)]
      guard let end = window.firstIndex(of: 0x0D), body[end...].starts(with: [0x0D, 0x0A]) else {
        throw window.endIndex == body.endIndex ? .unterminated : .malformedHead
      }
      let line = body[at..<end]
      bytesLeft -= line.count + 2
      at = end + 2
      if line.isEmpty { break }
      guard bytesLeft > 0, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformedHead }
      let value = line[(colon + 1)...]
      if line[..<colon].equalsIgnoringCase("content-disposition") {
        guard head == nil, let disposition = Self.disposition(value) else { throw .malformedHead }
        head = disposition
      } else if line[..<colon].equalsIgnoringCase("content-type") {
        contentType = value.withUnsafeBytes { String(decoding: $0.trimmed, as: UTF8.self) }
      }
    }
    guard var head else { throw .malformedHead }
    head.contentType = contentType
    return head
  }

  /// `form-data; name="…"; filename="…"`. Browsers write quotes and line ends in names as `%22`, `%0D` and `%0A`, and a
  /// backslash as it is (HTML, section 4.10.21.8). File names are not used: they are also accepted in other forms.
  private static func disposition(_ value: ArraySlice<UInt8>) -> Head? {
    var parts = value.drop { $0.isSpaceOrTab }
    guard parts.prefix(9).equalsIgnoringCase("form-data") else { return nil }
    parts = parts.dropFirst(9)
    var values: [String: String] = [:]
    while true {
      parts = parts.drop { $0.isSpaceOrTab }
      if parts.isEmpty { break }
      guard parts.popFirst() == UInt8(ascii: ";") else { return nil }
      parts = parts.drop { $0.isSpaceOrTab }
      guard let equals = parts.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let name = String(decoding: parts[..<equals], as: UTF8.self).lowercased()
      parts = parts[(equals + 1)...]
      var content: ArraySlice<UInt8>
      if parts.first == UInt8(ascii: "\"") {
        parts = parts.dropFirst()
        let end = name == "filename" ? endOfFileName(parts) : parts.firstIndex(of: UInt8(ascii: "\""))
        guard let quote = end else { return nil }
        content = parts[..<quote]
        parts = parts[(quote + 1)...]
      } else {
        let end = parts.firstIndex { $0 == UInt8(ascii: ";") || $0.isSpaceOrTab } ?? parts.endIndex
        content = parts[..<end]
        parts = parts[end...]
      }
      let text: String? =
        name == "filename" ? String(decoding: content, as: UTF8.self) : String(validating: content, as: UTF8.self)
      guard let text, values.updateValue(text, forKey: name) == nil else { return nil }
    }
    guard let name = values["name"] else { return nil }
    return Head(name: name, fileName: values["filename"])
  }

  /// The index of the closing quote of a file name. Go and older versions of curl write a quote in the name as `\"`.
  /// With a browser, the name can end with a backslash: such a quote is the closing one if the parameter ends there.
  private static func endOfFileName(_ text: ArraySlice<UInt8>) -> Int? {
    text.indices.first { index in
      guard text[index] == UInt8(ascii: "\"") else { return false }
      guard index > text.startIndex, text[index - 1] == UInt8(ascii: "\\") else { return true }
      let next = text[(index + 1)...].first { !$0.isSpaceOrTab }
      return next == nil || next == UInt8(ascii: ";")
    }
  }
}
