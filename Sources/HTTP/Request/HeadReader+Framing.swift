extension HeadReader {
  /// Applies a recognized header to the framing of the request and the persistence of the connection.
  @inline(__always)
  mutating func note(
    _ field: HeaderField,
    in bytes: UnsafeRawBufferPointer,
    _ memory: ParserMemory
  ) throws(HTTPFailure) {
    let isRepeated = head.has(field.name)
    head.present |= 1 &<< UInt64(field.name.rawValue)
    switch field.name {
    case .host:
      if isRepeated { throw HTTPFailure(.repeatedHost, line: lineNumber) }
      let host = UnsafeRawBufferPointer(rebasing: bytes[field.valueExtent.range])
      guard memory.isValid(host: host) else { throw HTTPFailure(.invalidHost, line: lineNumber) }
    case .contentLength:
      // Repeated lengths are rejected even if they agree, because intermediaries differ in how they treat them (request
      // smuggling).
      if isRepeated { throw HTTPFailure(.repeatedContentLength, line: lineNumber) }
      let digits = UnsafeRawBufferPointer(rebasing: bytes[field.valueExtent.range])
      guard let length = Self.contentLength(digits) else { throw HTTPFailure(.invalidContentLength, line: lineNumber) }
      head.contentLength = length
    case .transferEncoding:
      let coding = UnsafeRawBufferPointer(rebasing: bytes[field.valueExtent.range])
      guard !isRepeated, coding.equalsIgnoringCase("chunked") else {
        let isUnderstood = isRepeated || !Self.endsWithChunked(coding)
        throw HTTPFailure(isUnderstood ? .unsupportedTransferEncoding : .unknownTransferCoding, line: lineNumber)
      }
      head.isChunked = true
    case .contentType where !isRepeated:
      head.isForm = UnsafeRawBufferPointer(rebasing: bytes[field.valueExtent.range])
        .hasPrefixIgnoringCase("multipart/form-data")
    case .connection:
      noteConnection(UnsafeRawBufferPointer(rebasing: bytes[field.valueExtent.range]))
    case .expect:
      guard UnsafeRawBufferPointer(rebasing: bytes[field.valueExtent.range]).equalsIgnoringCase("100-continue") else {
        throw HTTPFailure(.unknownExpectation, line: lineNumber)
      }
      head.expectsContinue = true
    default: break
    }
  }

  /// Whether the list ends with `chunked`, which is the only coding of its kind in it. The body has a length then, and
  /// only the other coding is not understood (RFC 9112, section 6.1). Otherwise the request is malformed.
  private static func endsWithChunked(_ codings: UnsafeRawBufferPointer) -> Bool {
    var count = 0
    var isLast = false
    codings.forEachListMember { coding in
      isLast = coding.equalsIgnoringCase("chunked")
      if isLast { count += 1 }
    }
    return isLast && count == 1
  }

  private mutating func noteConnection(_ options: UnsafeRawBufferPointer) {
    options.forEachListMember { option in
      if option.equalsIgnoringCase("close") {
        head.asksToClose = true
      } else if option.equalsIgnoringCase("keep-alive") {
        head.asksToKeepAlive = true
      } else if option.equalsIgnoringCase("upgrade") {
        head.asksToUpgrade = true
      }
    }
  }

  /// Nil if it contains anything but digits, or does not fit.
  static func contentLength(_ digits: UnsafeRawBufferPointer) -> Int? {
    guard !digits.isEmpty, digits.count <= 18 else { return nil }
    var length = 0
    for digit in digits {
      guard digit >= 0x30, digit <= 0x39 else { return nil }
      length = length &* 10 &+ Int(digit &- 0x30)
    }
    return length
  }

  /// Checks that require all headers.
  mutating func settle() throws(HTTPFailure) {
    if head.version == .http11 {
      guard head.has(.host) else { throw HTTPFailure(.missingHost) }
    } else {
      if head.isChunked { throw HTTPFailure(.transferEncodingInHTTP10) }
      // RFC 9110, section 10.1.1: the expectation must be ignored in HTTP/1.0.
      head.expectsContinue = false
    }
    if head.isChunked, head.contentLength != nil { throw HTTPFailure(.contentLengthWithTransferEncoding) }
  }
}
