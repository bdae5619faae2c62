import Glibc

extension UnsafeRawBufferPointer {
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    guard let baseAddress else { return true }
    return memcmp(baseAddress, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// `text` must be as for `hasPrefixIgnoringCase`.
  @inline(__always)
  package func equalsIgnoringCase(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasPrefixIgnoringCase(text)
  }

  /// `text` must consist of lower-case letters and of characters before `@`, such as digits, hyphens and spaces.
  ///
  /// Compares eight or four bytes at a time, of which the last can overlap those before. Where the text has a letter,
  /// bit 5 of the compared byte is set, which maps a capital letter to lower case and no other byte to a letter. A
  /// hyphen must be a hyphen.
  @inline(__always)
  func hasPrefixIgnoringCase(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard count >= length, let base = baseAddress else { return length == 0 }
    let expected = UnsafeRawPointer(text.utf8Start)
    if length >= 8 { return Self.areEqual(base, to: expected, upTo: length, by: UInt64.self) }
    if length >= 4 { return Self.areEqual(base, to: expected, upTo: length, by: UInt32.self) }
    return Self.areEqual(base, to: expected, upTo: length, by: UInt8.self)
  }

  /// - Parameter Word: of at most `length` bytes.
  @inline(__always)
  private static func areEqual<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ bytes: UnsafeRawPointer,
    to text: UnsafeRawPointer,
    upTo length: Int,
    by _: Word.Type
  ) -> Bool {
    let size = MemoryLayout<Word>.size
    var at = 0
    while at < length {
      let first = Swift.min(at, length &- size)
      let expected = text.loadUnaligned(fromByteOffset: first, as: Word.self)
      let letters = (expected & Word(truncatingIfNeeded: 0x4040_4040_4040_4040 as UInt64)) &>> 1
      if bytes.loadUnaligned(fromByteOffset: first, as: Word.self) | letters != expected { return false }
      at = first &+ size
    }
    return true
  }

  /// The bytes without leading and trailing spaces and tabs.
  var trimmed: UnsafeRawBufferPointer {
    var start = 0
    var end = count
    while start < end, self[start].isSpaceOrTab { start &+= 1 }
    while end > start, self[end &- 1].isSpaceOrTab { end &-= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }

  /// Calls `body` with each member of a comma-separated list (RFC 9110, section 5.6.1), trimmed and without empty
  /// members. For lists whose members contain no quoted strings.
  func forEachListMember(_ body: (UnsafeRawBufferPointer) -> Void) {
    var start = 0
    while start <= count {
      var end = start
      while end < count, self[end] != UInt8(ascii: ",") { end &+= 1 }
      let member = UnsafeRawBufferPointer(rebasing: self[start..<end]).trimmed
      if !member.isEmpty { body(member) }
      start = end &+ 1
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes equal `text`, ignoring case. `text` must be in lower case, without an underscore.
  package func equalsIgnoringCase(_ text: StaticString) -> Bool {
    withUnsafeBytes { $0.equalsIgnoringCase(text) }
  }

  /// Whether these bytes are `text`.
  package func equals(_ text: StaticString) -> Bool {
    withUnsafeBytes { $0.equals(text) }
  }

  /// Whether these bytes are `text`.
  package func equals(_ text: [UInt8]) -> Bool {
    guard count == text.count else { return false }
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return true }
      return memcmp(base, text, text.count) == 0
    }
  }

  /// Whether a comma-separated list contains `token`, ignoring case. `token` must be in lower case.
  package func listContains(_ token: StaticString) -> Bool {
    withUnsafeBytes { bytes in
      var found = false
      bytes.forEachListMember { if $0.equalsIgnoringCase(token) { found = true } }
      return found
    }
  }

  /// The first member of a comma-separated list that is one of `tokens`.
  package func firstListMember(among tokens: [String]) -> String? {
    withUnsafeBytes { bytes in
      var found: String?
      bytes.forEachListMember { member in
        if found == nil { found = tokens.first { $0.utf8.count == member.count && $0.utf8.elementsEqual(member) } }
      }
      return found
    }
  }

  /// Whether the bytes contain `text`, ignoring case. `text` must be as for `hasPrefixIgnoringCase`.
  package func containsIgnoringCase(_ text: StaticString) -> Bool {
    withUnsafeBytes { bytes in
      bytes.indices.contains { UnsafeRawBufferPointer(rebasing: bytes[$0...]).hasPrefixIgnoringCase(text) }
    }
  }

  /// The bytes as text. Invalid UTF-8 is replaced with U+FFFD.
  package var text: String { String(decoding: self, as: UTF8.self) }
}

extension UInt8 {
  @inline(__always)
  var lowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

  @inline(__always)
  var isSpaceOrTab: Bool { self == 0x20 || self == 0x09 }

  /// The digit's value, or nil.
  @inline(__always)
  var hexValue: UInt8? {
    switch self {
    case 0x30...0x39: self &- 0x30
    case 0x41...0x46: self &- 0x37
    case 0x61...0x66: self &- 0x57
    default: nil
    }
  }
}
