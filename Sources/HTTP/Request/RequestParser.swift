/// Turns the bytes of one connection into requests (RFC 9112). It has no socket, no clock and no callbacks: bytes go in
/// with `receive`, and `next` says what has come of them until it says `needsMore`.
///
/// It looks at each byte once however they arrive, and never keeps more than the limits allow, provided that the caller
/// asks `next` after every `receive` or, while a request is being answered, stops reading once `wantsInput` is false.
package struct RequestParser: ~Copyable {
  package enum Event: Sendable {
    /// Nothing more can be said before more bytes come.
    case needsMore
    /// The client waits for `100 Continue` before it sends the body. Said once for a request, and only if the body has
    /// not begun to come.
    case expectsContinue
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
  }

  private enum State: Sendable {
    case head(HeadReader)
    case fixedBody(RequestHead, start: Int, end: Int)
    case chunkedBody(RequestHead, start: Int, ChunkedBodyReader)
    case failed(HTTPFailure)
  }

  private let limits: HTTPLimits
  private var state = State.head(HeadReader())
  /// What was received and is not yet part of a request that was handed out.
  private var input: [UInt8] = []
  /// Where in `input` the request being read begins. All other places are counted from here.
  private var start = 0

  package init(limits: HTTPLimits = HTTPLimits()) {
    self.limits = limits
  }

  /// Takes in bytes from the client. After a failure they are dropped.
  package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    if case .failed = state { return }
    if start > 0 && start >= input.count &- start {
      // Moving what is left costs no more than what was handed out since the last time.
      input.removeFirst(start)
      start = 0
    }
    if input.isEmpty {
      input = Array(bytes)
    } else {
      input.append(contentsOf: bytes)
    }
  }

  /// Whether the server should read on while a request is being answered; false once the client has sent more than
  /// `HTTPLimits.pipelinedBytes` ahead.
  package var wantsInput: Bool { input.count &- start <= limits.pipelinedBytes }

  package var progress: Progress {
    switch state {
    case .head, .failed: input.count == start ? .idle : .head
    case .fixedBody, .chunkedBody: .body
    }
  }

  /// What was received after the last request that was handed out: after an upgrade it belongs to the new protocol.
  package mutating func takeRemainder() -> [UInt8] {
    let remainder = Array(input[start...])
    input = []
    start = 0
    state = .head(HeadReader())
    return remainder
  }

  package mutating func next() -> Event {
    do throws(HTTPFailure) {
      return try advance()
    } catch {
      input = []
      start = 0
      state = .failed(error)
      return .failure(error)
    }
  }

  private mutating func advance() throws(HTTPFailure) -> Event {
    if case .head(var reader) = state {
      // The state lets go of the reader, so that there is one owner of its fields to append to.
      state = .head(HeadReader())
      guard try readHead(&reader) else {
        state = .head(reader)
        return .needsMore
      }
      if let event = beginBody(reader) { return event }
    }
    return try readBody()
  }

  private mutating func readHead(_ reader: inout HeadReader) throws(HTTPFailure) -> Bool {
    let from = start
    let limits = limits
    return try input.withUnsafeBufferPointer { (bytes) throws(HTTPFailure) in
      try reader.advance(over: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[from...])), within: limits)
    }
  }

  private mutating func beginBody(_ reader: HeadReader) -> Event? {
    let head = reader.head
    let bodyStart = reader.end
    if head.isChunked {
      state = .chunkedBody(head, start: bodyStart, ChunkedBodyReader(bodyStart: bodyStart))
    } else {
      state = .fixedBody(head, start: bodyStart, end: bodyStart &+ (head.contentLength ?? 0))
      if head.contentLength ?? 0 == 0 { return nil }
    }
    return head.expectsContinue && input.count &- start == bodyStart ? .expectsContinue : nil
  }

  private mutating func readBody() throws(HTTPFailure) -> Event {
    switch state {
    case .fixedBody(let head, start: let bodyStart, end: let end):
      guard input.count &- start >= end else { return .needsMore }
      return .request(handOut(head, body: bodyStart..<end, consumed: end))

    case .chunkedBody(let head, start: let bodyStart, var reader):
      let from = start
      let limits = limits
      let isWhole = try input.withUnsafeMutableBufferPointer { (bytes) throws(HTTPFailure) in
        let request = UnsafeMutableBufferPointer(rebasing: bytes[from...])
        return try reader.advance(over: UnsafeMutableRawBufferPointer(request), within: limits)
      }
      if isWhole {
        return .request(handOut(head, body: bodyStart..<reader.decodedEnd, consumed: reader.consumedEnd))
      }
      // Framing must not pile up beside the data: a body of one-byte chunks is five sixths framing. What is moved is
      // at most the beginning of a line.
      if reader.consumedEnd &- reader.decodedEnd > 1024 {
        input.removeSubrange(from &+ reader.decodedEnd..<from &+ reader.consumedEnd)
        reader.closeGap()
      }
      state = .chunkedBody(head, start: bodyStart, reader)
      return .needsMore

    case .head: return .needsMore
    case .failed(let failure): return .failure(failure)
    }
  }

  /// Makes the request and goes on to the one after it. When nothing follows, as is usual, the bytes are given away as
  /// they are; otherwise they are copied out.
  private mutating func handOut(_ head: RequestHead, body: Range<Int>, consumed: Int) -> HTTPRequest {
    state = .head(HeadReader())
    if start == 0 && consumed == input.count {
      var bytes: [UInt8] = []
      swap(&bytes, &input)
      return HTTPRequest(bytes: bytes, head: head, body: body)
    }
    let bytes = Array(input[start..<start &+ body.upperBound])
    start &+= consumed
    if start == input.count {
      input = []
      start = 0
    }
    return HTTPRequest(bytes: bytes, head: head, body: body)
  }
}
