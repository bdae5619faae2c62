/// Parses a request's head line by line as its bytes arrive (RFC 9112, sections 3 and 5) and determines the framing of
/// its body.
struct HeadReader: Sendable {
  /// If its table is set before its fields are read, the memory of that is used.
  var head = RequestHead()
  private var lines = LineReader(at: 0)
  /// The number of the current line; the request line is 1. 0 is the empty line that can precede it.
  private(set) var lineNumber = 0
  private var headerBytes = 0

  /// The end of the head, once it is complete.
  var end: Int {
    get { lines.start }
    set { lines = LineReader(at: newValue) }
  }

  /// Continues reading. `bytes` begins at the first byte of the request and only grows between calls. Returns true once
  /// the head is complete.
  mutating func advance(
    over bytes: UnsafeRawBufferPointer,
    within limits: HTTPLimits,
    _ memory: ParserMemory
  ) throws(HTTPFailure) -> Bool {
    if lineNumber == 0 {
      guard try skipEmptyLine(in: bytes) else { return false }
    }
    if lineNumber == 1 {
      guard
        let line = try lines.next(
          in: bytes,
          longest: limits.requestLineBytes,
          excess: HTTPFailure(.requestLineTooLong, line: 1, limit: limits.requestLineBytes),
          number: 1
        )
      else { return false }
      try readRequestLine(line, of: bytes)
      lineNumber = 2
    }
    // Moved out of the head and back, because a copy would be retained. After a failure there is no request.
    let table = head.table.take() ?? HeaderTable()
    let isComplete = try readFields(into: table, in: bytes, within: limits, memory)
    head.table = table
    return isComplete
  }

  private mutating func readFields(
    into table: HeaderTable,
    in bytes: UnsafeRawBufferPointer,
    within limits: HTTPLimits,
    _ memory: ParserMemory
  ) throws(HTTPFailure) -> Bool {
    while let line = try lines.next(
      in: bytes,
      longest: limits.headerBytes &- headerBytes,
      excess: HTTPFailure(.headersTooLong, line: lineNumber, limit: limits.headerBytes),
      number: lineNumber
    ) {
      if line.isEmpty {
        try settle()
        return true
      }
      headerBytes &+= line.count &+ 2
      if headerBytes > limits.headerBytes {
        throw HTTPFailure(.headersTooLong, line: lineNumber, limit: limits.headerBytes)
      }
      if table.count == limits.headerCount {
        throw HTTPFailure(.tooManyHeaders, line: lineNumber, limit: limits.headerCount)
      }
      let field = try HeaderLine.read(line, of: bytes, number: lineNumber, isFirst: lineNumber == 2)
      if field.name != .other { try note(field, in: bytes, memory) }
      table.append(field)
      lineNumber &+= 1
    }
    return false
  }

  /// Skips one empty line before a request (RFC 9112, section 2.2). Returns false while it is not yet known whether
  /// there is one.
  private mutating func skipEmptyLine(in bytes: UnsafeRawBufferPointer) throws(HTTPFailure) -> Bool {
    guard let first = bytes.first else { return false }
    if first == 0x0D {
      guard bytes.count > 1 else { return false }
      guard bytes[1] == 0x0A else { throw HTTPFailure(.bareCarriageReturn, line: 1) }
      guard bytes.count > 2 else { return false }
      lines = LineReader(at: 2)
    }
    // Detected by the first byte, so that a TLS client gets an error immediately instead of a timeout.
    let byte = bytes[lines.start]
    if byte == 0x0A { throw HTTPFailure(.bareLineFeed, line: 1) }
    guard CharacterSet.token.contains(byte) else { throw HTTPFailure(.notHTTP, line: 1) }
    lineNumber = 1
    return true
  }

  /// `request-line = method SP request-target SP HTTP-version`
  private mutating func readRequestLine(_ line: Range<Int>, of bytes: UnsafeRawBufferPointer) throws(HTTPFailure) {
    var at = line.lowerBound
    let tokenCharacters = CharacterSet.token
    while at < line.upperBound, tokenCharacters.contains(bytes[at]) { at &+= 1 }
    guard at < line.upperBound else { throw HTTPFailure(.malformedRequestLine, line: 1) }
    guard bytes[at] == 0x20 else {
      throw HTTPFailure(bytes[at] == 0x0D ? .bareCarriageReturn : .invalidMethod, line: 1)
    }
    let method = UnsafeRawBufferPointer(rebasing: bytes[line.lowerBound..<at])
    head.methodText = Extent(line.lowerBound..<at)
    head.method = Method(method)

    let targetStart = at &+ 1
    // The version is the last word: eight bytes after a space.
    let versionStart = line.upperBound &- 8
    guard versionStart > targetStart, bytes[versionStart &- 1] == 0x20 else {
      throw HTTPFailure(.malformedRequestLine, line: 1)
    }
    head.version = try Self.version(UnsafeRawBufferPointer(rebasing: bytes[versionStart..<line.upperBound]))
    let isConnect = head.method == .other && method.equals("CONNECT")
    guard
      let target = RequestTarget(
        in: bytes,
        at: targetStart..<versionStart &- 1,
        method: head.method,
        isConnect: isConnect
      )
    else { throw HTTPFailure(.invalidTarget, line: 1) }
    head.target = target
  }

  @inline(__always)
  private static func version(_ text: UnsafeRawBufferPointer) throws(HTTPFailure) -> HTTPVersion {
    if text.equals("HTTP/1.1") { return .http11 }
    if text.equals("HTTP/1.0") { return .http10 }
    let isVersion =
      UnsafeRawBufferPointer(rebasing: text[..<5]).equals("HTTP/") && text[6] == UInt8(ascii: ".")
      && (0x30...0x39).contains(text[5]) && (0x30...0x39).contains(text[7])
    guard isVersion else { throw HTTPFailure(.malformedRequestLine, line: 1) }
    // The minor version is later than 1.
    if text[5] == UInt8(ascii: "1") { return .http11 }
    throw HTTPFailure(.unsupportedVersion, line: 1)
  }
}
