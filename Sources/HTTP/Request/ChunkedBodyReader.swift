/// Decodes a chunked body (RFC 9112, section 7.1) in place: the data of the chunks is moved over their framing and
/// becomes one contiguous range after the head.
struct ChunkedBodyReader: Sendable {
  enum Progress: Sendable {
    case needsMore
    /// The next chunk makes the body longer than `unadmittedBytes`. Reported once.
    case wantsAdmission
    /// The body and its trailers are complete.
    case whole
  }

  private enum State: Sendable {
    case size
    case data(remaining: Int)
    case dataEnd
    case trailers
  }

  private var state = State.size
  private var lines: LineReader
  private let bodyStart: Int
  /// The end of the decoded body.
  private(set) var decodedEnd: Int
  /// Whether admission was requested or is not required.
  private var isAdmitted = false
  private var extensionBytes = 0
  private var trailerBytes = 0
  private var trailerCount = 0

  /// 15 hexadecimal digits cannot overflow an `Int`.
  private static let longestSize = 15

  init(bodyStart: Int) {
    self.bodyStart = bodyStart
    decodedEnd = bodyStart
    lines = LineReader(at: bodyStart)
  }

  /// The end of the consumed bytes. Those between `decodedEnd` and this index are no longer needed.
  var consumedEnd: Int { lines.start }

  /// Call this after removing the bytes between `decodedEnd` and `consumedEnd`.
  mutating func closeGap() {
    lines.move(by: decodedEnd &- consumedEnd)
  }

  /// Continues reading. `bytes` begins at the first byte of the request.
  mutating func advance(
    over bytes: UnsafeMutableRawBufferPointer,
    within limits: HTTPLimits
  ) throws(HTTPFailure) -> Progress {
    let text = UnsafeRawBufferPointer(bytes)
    while true {
      let progress: Progress?
      switch state {
      case .size: progress = try readSizeLine(in: text, within: limits)
      case .data(let remaining): progress = moveData(in: bytes, remaining: remaining)
      case .dataEnd: progress = try readDataEnd(in: text)
      case .trailers: progress = try readTrailer(in: text, within: limits)
      }
      if let progress { return progress }
    }
  }

  // MARK: Steps

  // Each returns nil if the next one can follow at once.

  private mutating func readSizeLine(
    in text: UnsafeRawBufferPointer,
    within limits: HTTPLimits
  ) throws(HTTPFailure) -> Progress? {
    guard
      let line = try lines.next(
        in: text,
        longest: Self.longestSize &+ limits.chunkExtensionBytes,
        excess: HTTPFailure(.chunkExtensionsTooLong, limit: limits.chunkExtensionBytes),
        number: nil
      )
    else { return .needsMore }
    let size = try readSize(line, of: text, within: limits)
    state = size == 0 ? .trailers : .data(remaining: size)
    guard !isAdmitted, size > limits.unadmittedBytes &- (decodedEnd &- bodyStart) else { return nil }
    isAdmitted = true
    return .wantsAdmission
  }

  private mutating func moveData(in bytes: UnsafeMutableRawBufferPointer, remaining: Int) -> Progress? {
    let length = min(remaining, bytes.count &- lines.start)
    guard length > 0, let base = bytes.baseAddress else { return .needsMore }
    if decodedEnd != lines.start {
      (base + decodedEnd).copyMemory(from: base + lines.start, byteCount: length)
    }
    decodedEnd &+= length
    lines = LineReader(at: lines.start &+ length)
    state = length == remaining ? .dataEnd : .data(remaining: remaining &- length)
    return nil
  }

  private mutating func readDataEnd(in text: UnsafeRawBufferPointer) throws(HTTPFailure) -> Progress? {
    guard
      let line = try lines.next(in: text, longest: 0, excess: HTTPFailure(.invalidChunkEnd), number: nil)
    else { return .needsMore }
    guard line.isEmpty else { throw HTTPFailure(.invalidChunkEnd) }
    state = .size
    return nil
  }

  private mutating func readTrailer(
    in text: UnsafeRawBufferPointer,
    within limits: HTTPLimits
  ) throws(HTTPFailure) -> Progress? {
    guard
      let line = try lines.next(
        in: text,
        longest: limits.headerBytes &- trailerBytes,
        excess: HTTPFailure(.headersTooLong, limit: limits.headerBytes),
        number: nil
      )
    else { return .needsMore }
    if line.isEmpty { return .whole }
    try checkTrailer(line, of: text, within: limits)
    return nil
  }

  /// `chunk-size [ chunk-ext ]`. The extensions are parsed, because a recipient that treats them differently from an
  /// intermediary can be made to see other requests (request smuggling). Their content is ignored.
  private mutating func readSize(
    _ line: Range<Int>,
    of bytes: UnsafeRawBufferPointer,
    within limits: HTTPLimits
  ) throws(HTTPFailure) -> Int {
    var size = 0
    var at = line.lowerBound
    while at < line.upperBound, let digit = bytes[at].hexValue {
      guard at &- line.lowerBound < Self.longestSize else { throw HTTPFailure(.invalidChunkSize) }
      size = size &<< 4 | Int(digit)
      at &+= 1
    }
    guard at > line.lowerBound else { throw HTTPFailure(.invalidChunkSize) }
    if at < line.upperBound {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[at..<line.upperBound])
      guard rest.first(where: { !$0.isSpaceOrTab }) == UInt8(ascii: ";") else { throw HTTPFailure(.invalidChunkSize) }
      guard Self.areExtensions(rest) else { throw HTTPFailure(.invalidChunkExtension) }
      extensionBytes &+= rest.count
      if extensionBytes > limits.chunkExtensionBytes {
        throw HTTPFailure(.chunkExtensionsTooLong, limit: limits.chunkExtensionBytes)
      }
    }
    if size > limits.bodyBytes &- (decodedEnd &- bodyStart) {
      throw HTTPFailure(.bodyTooLong, limit: limits.bodyBytes)
    }
    return size
  }

  /// `*( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )` (RFC 9112, section 7.1.1)
  private static func areExtensions(_ text: UnsafeRawBufferPointer) -> Bool {
    var reader = FieldValueReader(text)
    while !reader.isAtEnd {
      reader.skipWhitespace()
      guard reader.take(UInt8(ascii: ";")) else { return false }
      reader.skipWhitespace()
      guard reader.takeToken() != nil else { return false }
      // Whitespace belongs to the equals sign or the semicolon that follows.
      var next = reader
      next.skipWhitespace()
      if next.take(UInt8(ascii: "=")) {
        next.skipWhitespace()
        guard next.takeWord() != nil else { return false }
        reader = next
      }
    }
    return true
  }

  /// Trailers must be well-formed and within the limits. Their content is ignored (RFC 9110, section 6.5.1).
  private mutating func checkTrailer(
    _ line: Range<Int>,
    of bytes: UnsafeRawBufferPointer,
    within limits: HTTPLimits
  ) throws(HTTPFailure) {
    trailerBytes &+= line.count &+ 2
    if trailerBytes > limits.headerBytes { throw HTTPFailure(.headersTooLong, limit: limits.headerBytes) }
    if trailerCount == limits.headerCount { throw HTTPFailure(.tooManyHeaders, limit: limits.headerCount) }
    _ = try HeaderLine.read(line, of: bytes, number: nil, isFirst: trailerCount == 0)
    trailerCount &+= 1
  }
}
