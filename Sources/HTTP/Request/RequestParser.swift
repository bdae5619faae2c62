/// Parses the bytes of one connection into requests (RFC 9112). It has no socket, clock or callbacks: pass bytes to
/// `receive`, then call `next` until it returns `needsMore`.
///
/// It examines each byte once, however the bytes arrive. It never buffers more than the limits allow, provided that the
/// caller calls `next` after every `receive` or, while a request is being answered, stops reading once `wantsInput` is
/// false.
@usableFromInline package struct RequestParser: ~Copyable, Sendable {
  package enum Event: Sendable {
    /// More bytes are needed.
    case needsMore
    /// The client waits for `100 Continue` before it sends the body. Reported once per request, and only if no byte of
    /// the body has arrived.
    case expectsContinue
    /// A request without its body, whose body is longer than `HTTPLimits.unadmittedBytes`: call `admit()`, or respond
    /// and close the connection. There are no further events until then. Reported with the head if the length is
    /// declared, and otherwise with the size of the chunk that would exceed the limit.
    case wantsAdmission(HTTPRequest)
    /// A complete request with its body.
    case request(HTTPRequest)
    /// A request without its body, whose body is longer than the limits allow. The connection must be closed after an
    /// error response. All later events are failures. Indirect, because a larger event took 200 instructions of each
    /// request.
    indirect case bodyTooLong(HTTPRequest, HTTPFailure)
    /// The connection must be closed after an error response. All later events are the same.
    case failure(HTTPFailure)
  }

  /// The phase that the server's timer limits.
  package enum Progress: Sendable {
    /// Between requests: no byte of the next one has arrived.
    case idle
    case head
    case body
    /// The body of an admitted form: files take long to send.
    case admittedForm
  }

  private enum State: Sendable {
    case head
    case waitingForAdmission
    case admitted
    case fixedBody
    case chunkedBody
    case failed
  }

  private let limits: HTTPLimits
  private var isAdmitted = false
  private var state = State.head
  // The data of the states is not in the enum: moving it out and back took two thirds of the time of a request.
  private var headReader = HeadReader()
  private var knownHead = KnownHead()
  private var chunkReader = ChunkedBodyReader(bodyStart: 0)
  private var failure: HTTPFailure?
  /// Received bytes that are not part of a returned request.
  @usableFromInline var input: [UInt8] = []
  /// The start of the current request in `input`. All other offsets are relative to it.
  @usableFromInline var start = 0

  package init(limits: HTTPLimits = HTTPLimits()) {
    self.limits = limits
  }

  /// Appends bytes of the client. After a failure they are dropped.
  /// - Parameter memory: of the loop, for the first bytes of a request.
  package mutating func receive(_ bytes: UnsafeRawBufferPointer, with memory: ParserMemory) {
    dropReturned()
    if input.isEmpty && state != .failed { input = memory.array(of: bytes) } else { append(bytes) }
  }

  /// The same with memory of the parser's own.
  package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    dropReturned()
    append(bytes)
  }

  /// Drops the bytes of returned requests if they are at least as many as the others: moving the rest costs no more
  /// than the bytes returned since the last time.
  private mutating func dropReturned() {
    guard start > 0 && start >= input.count &- start else { return }
    input.removeFirst(start)
    start = 0
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard state != .failed else { return }
    reserve(bytes.count)
    input.append(contentsOf: bytes)
  }

  /// Reserves capacity for more bytes, of a body of known length at most to its end. The capacity grows with the
  /// received bytes, not with the declared length.
  private mutating func reserve(_ count: Int) {
    let needed = input.count &+ count
    guard state == .fixedBody, start == 0, needed > input.capacity else { return }
    input.reserveCapacity(max(needed, min(headReader.end &+ headReader.head.bodyLength, 2 &* needed)))
  }

  /// The current request without its body; nil until its head is complete.
  package var requestInProgress: HTTPRequest? {
    switch state {
    case .head, .failed: nil
    default: headRequest
    }
  }

  private var headRequest: HTTPRequest {
    let bytes = Array(input[start..<start &+ headReader.end])
    return HTTPRequest(bytes: bytes, head: headReader.head, body: headReader.end..<headReader.end)
  }

  /// The number of received bytes that are not part of a returned request. Inlined, because a call copies the parser.
  @inlinable package var bufferedBytes: Int { input.count &- start }

  /// Whether the server should continue reading while a request is being answered. False once the client has sent more
  /// than `HTTPLimits.pipelinedBytes` ahead.
  package var wantsInput: Bool { bufferedBytes <= limits.pipelinedBytes }

  /// Mutating, although it changes nothing: otherwise a call copies the parser.
  package var progress: Progress {
    mutating get {
      switch state {
      case .head, .failed: input.count == start ? .idle : .head
      case .waitingForAdmission, .admitted, .fixedBody, .chunkedBody:
        isAdmitted && headReader.head.isForm ? .admittedForm : .body
      }
    }
  }

  /// The bytes received after the last returned request: after an upgrade they belong to the new protocol.
  package mutating func takeRemainder() -> [UInt8] {
    let remainder = Array(input[start...])
    input = []
    start = 0
    headReader = HeadReader()
    knownHead = KnownHead()
    state = .head
    return remainder
  }

  /// - Parameter memory: of the loop.
  package mutating func next(_ memory: ParserMemory) -> Event {
    do throws(HTTPFailure) {
      switch state {
      case .head: return try readHead(memory)
      case .waitingForAdmission: return .needsMore
      case .admitted: return try beginBody()
      case .fixedBody: return readFixedBody()
      case .chunkedBody: return try readChunkedBody()
      case .failed: break
      }
    } catch {
      let request = error.reason == .bodyTooLong ? headRequest : nil
      input = []
      start = 0
      failure = error
      state = .failed
      if let request { return .bodyTooLong(request, error) }
    }
    // Only the state `failed` reaches this line, and it has a failure.
    return failure.map { .failure($0) } ?? .needsMore
  }

  /// Inlined: as a function of its own it took 60 of the 9,000 instructions of `{ __typename }`.
  @inline(__always) private mutating func readHead(_ memory: ParserMemory) throws(HTTPFailure) -> Event {
    guard input.count > start, try advanceHead(memory) else { return .needsMore }
    if needsAdmission {
      if headReader.head.bodyLength > longestBody { throw HTTPFailure(.bodyTooLong, limit: longestBody) }
      state = .waitingForAdmission
      return .wantsAdmission(headRequest)
    }
    return try beginBody()
  }

  private var longestBody: Int {
    headReader.head.isForm ? max(limits.bodyBytes, limits.formBytes) : limits.bodyBytes
  }

  /// A body that is too long for everybody also takes this way, so that other requests are compared with one limit.
  private var needsAdmission: Bool {
    headReader.head.bodyLength > min(limits.unadmittedBytes, limits.bodyBytes)
  }

  /// Continues reading the body of the request that was reported by `wantsAdmission`.
  package mutating func admit() {
    precondition(state == .waitingForAdmission, "nothing wants admission")
    isAdmitted = true
    // A chunked body has begun.
    state = headReader.head.isChunked ? .chunkedBody : .admitted
  }

  private mutating func beginBody() throws(HTTPFailure) -> Event {
    let bodyIsHere = input.count &- start > headReader.end
    let isWaitedFor = headReader.head.expectsContinue && !bodyIsHere
    if headReader.head.isChunked {
      chunkReader = ChunkedBodyReader(bodyStart: headReader.end)
      state = .chunkedBody
      return isWaitedFor ? .expectsContinue : try readChunkedBody()
    }
    state = .fixedBody
    return isWaitedFor && headReader.head.bodyLength > 0 ? .expectsContinue : readFixedBody()
  }

  private mutating func advanceHead(_ memory: ParserMemory) throws(HTTPFailure) -> Bool {
    // Moved out of `self` while the reader, which is a part of `self` too, changes.
    var bytes: [UInt8] = []
    swap(&bytes, &input)
    defer { swap(&bytes, &input) }
    return try bytes.withUnsafeBufferPointer { (bytes) throws(HTTPFailure) in
      let request = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[start...]))
      if headReader.head.table == nil {
        if knownHead.complete(&headReader, from: request) { return true }
        headReader.head.table = knownHead.takeTable()
      }
      guard try headReader.advance(over: request, within: limits, memory) else { return false }
      knownHead.set(headReader.head, of: UnsafeRawBufferPointer(rebasing: request[..<headReader.end]))
      return true
    }
  }

  private mutating func readFixedBody() -> Event {
    let end = headReader.end &+ headReader.head.bodyLength
    guard input.count &- start >= end else { return .needsMore }
    return .request(handOut(bodyEnd: end, consumed: end))
  }

  private mutating func readChunkedBody() throws(HTTPFailure) -> Event {
    let start = start
    var limits = limits
    limits.bodyBytes = longestBody
    var reader = chunkReader
    let progress = try input.withUnsafeMutableBufferPointer { (bytes) throws(HTTPFailure) in
      let request = UnsafeMutableBufferPointer(rebasing: bytes[start...])
      return try reader.advance(over: UnsafeMutableRawBufferPointer(request), within: limits)
    }
    if progress == .whole { return .request(handOut(bodyEnd: reader.decodedEnd, consumed: reader.consumedEnd)) }
    // Framing must not accumulate next to the data: a body of one-byte chunks is five sixths framing. At most the
    // beginning of a line is moved.
    if reader.consumedEnd &- reader.decodedEnd > 1024 {
      input.removeSubrange(start &+ reader.decodedEnd..<start &+ reader.consumedEnd)
      reader.closeGap()
    }
    chunkReader = reader
    guard progress == .wantsAdmission else { return .needsMore }
    state = .waitingForAdmission
    return .wantsAdmission(headRequest)
  }

  /// Creates the request and continues with the next one. If no bytes follow, which is usual, the buffer is moved into
  /// the request; otherwise its bytes are copied.
  private mutating func handOut(bodyEnd: Int, consumed: Int) -> HTTPRequest {
    let body = headReader.end..<bodyEnd
    var head = RequestHead()
    swap(&head, &headReader.head)
    headReader = HeadReader()
    state = .head
    isAdmitted = false
    if start == 0 && consumed == input.count {
      var bytes: [UInt8] = []
      swap(&bytes, &input)
      return HTTPRequest(bytes: bytes, head: consume head, body: body)
    }
    let bytes = Array(input[start..<start &+ bodyEnd])
    start &+= consumed
    if start == input.count {
      input = []
      start = 0
    }
    return HTTPRequest(bytes: bytes, head: consume head, body: body)
  }
}
