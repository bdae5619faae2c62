/// Turns the bytes of one connection into requests (RFC 9112). It has no socket, no clock and no callbacks: bytes go in
/// with `receive`, and `next` says what has come of them until it says `needsMore`.
///
/// It looks at each byte once however they arrive, and never keeps more than the limits allow, provided that the caller
/// asks `next` after every `receive` or, while a request is being answered, stops reading once `wantsInput` is false.
package struct RequestParser: ~Copyable, Sendable {
  package enum Event: Sendable {
    /// Nothing more can be said before more bytes come.
    case needsMore
    /// The client waits for `100 Continue` before it sends the body. Said once for a request, and only if the body has
    /// not begun to come.
    case expectsContinue
    /// A request without its body, of which more would be read than `HTTPLimits.unadmittedBytes`: `admit` it, or
    /// respond and close the connection. Until then there is nothing more. Said at the head where the length is
    /// declared, and otherwise when so many bytes have come.
    case wantsAdmission(HTTPRequest)
    /// A request with all of its body.
    case request(HTTPRequest)
    /// The connection must be closed after an answer that says why. Every later event is the same.
    case failure(HTTPFailure)
  }

  /// What a timer should be watching.
  package enum Progress: Sendable {
    /// Between requests: nothing of the next one is here.
    case idle
    case head
    case body
    /// The body of a form that was admitted: files take their time.
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
  // What belongs to the states is not in the enum: taking it out of there and putting it back made two thirds of the
  // time that a request took.
  private var headReader = HeadReader()
  private var chunkReader = ChunkedBodyReader(bodyStart: 0)
  private var failure: HTTPFailure?
  /// What was received and is not yet part of a request that was handed out.
  private var input: [UInt8] = []
  /// Where in `input` the request being read begins. All other places are counted from here.
  private var start = 0

  package init(limits: HTTPLimits = HTTPLimits()) {
    self.limits = limits
  }

  /// Takes in bytes from the client. After a failure they are dropped.
  package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    if state == .failed { return }
    if start > 0 && start >= input.count &- start {
      // Moving what is left costs no more than what was handed out since the last time.
      input.removeFirst(start)
      start = 0
    }
    if input.isEmpty {
      input = Array(bytes)
    } else {
      reserve(bytes.count)
      input.append(contentsOf: bytes)
    }
  }

  /// Makes room for more, of a body of known length not beyond its end. It grows with what has come and not with what
  /// was declared.
  private mutating func reserve(_ count: Int) {
    let needed = input.count &+ count
    guard state == .fixedBody, start == 0, needed > input.capacity else { return }
    input.reserveCapacity(max(needed, min(headReader.end &+ headReader.head.bodyLength, 2 &* needed)))
  }

  /// The request whose body is being read, without its body; nil while its head is not whole.
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

  /// Bytes that were received and are not yet part of a request that was handed out.
  package var bufferedBytes: Int { input.count &- start }

  /// Whether the server should read on while a request is being answered; false once the client has sent more than
  /// `HTTPLimits.pipelinedBytes` ahead.
  package var wantsInput: Bool { bufferedBytes <= limits.pipelinedBytes }

  package var progress: Progress {
    switch state {
    case .head, .failed: input.count == start ? .idle : .head
    case .waitingForAdmission, .admitted, .fixedBody, .chunkedBody:
      isAdmitted && headReader.head.isForm ? .admittedForm : .body
    }
  }

  /// What was received after the last request that was handed out: after an upgrade it belongs to the new protocol.
  package mutating func takeRemainder() -> [UInt8] {
    let remainder = Array(input[start...])
    input = []
    start = 0
    headReader = HeadReader()
    state = .head
    return remainder
  }

  package mutating func next() -> Event {
    do throws(HTTPFailure) {
      switch state {
      case .head: return try readHead()
      case .waitingForAdmission: return .needsMore
      case .admitted: return try beginBody()
      case .fixedBody: return readFixedBody()
      case .chunkedBody: return try readChunkedBody()
      case .failed: break
      }
    } catch {
      input = []
      start = 0
      failure = error
      state = .failed
    }
    // Only the state `failed` comes here, and it has a failure.
    return failure.map { .failure($0) } ?? .needsMore
  }

  private mutating func readHead() throws(HTTPFailure) -> Event {
    guard try advanceHead() else { return .needsMore }
    if needsAdmission {
      state = .waitingForAdmission
      return .wantsAdmission(headRequest)
    }
    return try beginBody()
  }

  private var needsAdmission: Bool { headReader.head.bodyLength > limits.unadmittedBytes }

  /// The body of the request that wants admission is read on.
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

  private mutating func advanceHead() throws(HTTPFailure) -> Bool {
    // Out of `self` for as long as the reader, which is in it too, changes.
    var bytes: [UInt8] = []
    swap(&bytes, &input)
    defer { swap(&bytes, &input) }
    return try bytes.withUnsafeBufferPointer { (bytes) throws(HTTPFailure) in
      let request = UnsafeBufferPointer(rebasing: bytes[start...])
      return try headReader.advance(over: UnsafeRawBufferPointer(request), within: limits)
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
    if headReader.head.isForm { limits.bodyBytes = max(limits.bodyBytes, limits.formBytes) }
    var reader = chunkReader
    let progress = try input.withUnsafeMutableBufferPointer { (bytes) throws(HTTPFailure) in
      let request = UnsafeMutableBufferPointer(rebasing: bytes[start...])
      return try reader.advance(over: UnsafeMutableRawBufferPointer(request), within: limits)
    }
    if progress == .whole { return .request(handOut(bodyEnd: reader.decodedEnd, consumed: reader.consumedEnd)) }
    // Framing must not pile up beside the data: a body of one-byte chunks is five sixths framing. What is moved is at
    // most the beginning of a line.
    if reader.consumedEnd &- reader.decodedEnd > 1024 {
      input.removeSubrange(start &+ reader.decodedEnd..<start &+ reader.consumedEnd)
      reader.closeGap()
    }
    chunkReader = reader
    guard progress == .wantsAdmission else { return .needsMore }
    state = .waitingForAdmission
    return .wantsAdmission(headRequest)
  }

  /// Makes the request and goes on to the one after it. When nothing follows, as is usual, the bytes are given away as
  /// they are; otherwise they are copied out.
  private mutating func handOut(bodyEnd: Int, consumed: Int) -> HTTPRequest {
    var reader = HeadReader()
    swap(&reader, &headReader)
    state = .head
    isAdmitted = false
    let body = reader.end..<bodyEnd
    if start == 0 && consumed == input.count {
      var bytes: [UInt8] = []
      swap(&bytes, &input)
      return HTTPRequest(bytes: bytes, head: reader.head, body: body)
    }
    let bytes = Array(input[start..<start &+ bodyEnd])
    start &+= consumed
    if start == input.count {
      input = []
      start = 0
    }
    return HTTPRequest(bytes: bytes, head: reader.head, body: body)
  }
}
