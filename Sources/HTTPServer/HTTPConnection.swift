import Bytes
import EventLoop
import HTTP

/// The connection of a client. It reads requests, processes them in order, and closes when either side ends it or a
/// limit is exceeded.
actor HTTPConnection<Handler: HTTPHandler>: TCPStreamDelegate, ServerConnection {
  enum State {
    /// Reading a request.
    case reading
    /// The handler is processing a request.
    case answering
    /// Backpressure: the client must read responses before its next requests are processed.
    case waitingForClient
    /// The last response has been written. Further bytes of the client are dropped.
    case ending
    case closed
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  nonisolated func checkOnLoop() { loop.checkIsolated() }

  nonisolated var reading: LoopCall<HTTPConnection, UnsafeRawBufferPointer, Void> { serverLoop.reading }

  let serverLoop: ServerLoop<Handler>
  let stream: TCPStream
  var parser: RequestParser
  var state = State.reading
  private(set) var deadline: ConnectionDeadline?
  /// The phase that the deadline limits while reading.
  private(set) var awaited: RequestParser.Progress?
  /// Runs `serve()`. Created for the first request that requires waiting.
  var task: Task<Void, Never>?
  /// The next step of `serve()`.
  var work: Handover<ConnectionWork>?
  /// The charge for received bytes; nil for a request that arrived with a single read, unless it stays in memory.
  var charge: ByteCharge?
  /// Whether the network of the charge is final.
  private var isNetworkKnown = false
  /// The reservation for a large response that the client has not read completely.
  var unsentResponse: ByteReservation?
  private var isAdvancing = false
  private var isReadingPaused = false
  private(set) var isDraining = false
  private var peerHasEnded = false
  private var droppedBytes = 0
  /// When a lingering client is disconnected, in the loop's milliseconds.
  private var lingerEnd: UInt64 = 0
  /// Determined with the first request.
  private(set) lazy var peer = stream.peerAddress

  init(_ stream: sending TCPStream, in serverLoop: ServerLoop<Handler>) {
    loop = serverLoop.loop
    self.serverLoop = serverLoop
    self.stream = stream
    parser = RequestParser(limits: serverLoop.options.limits)
  }

  func start(isWelcome: Bool) {
    deadline = ConnectionDeadline(
      timer: LoopTimer(on: loop) { [self] in
        assumeOnLoop { $0.timerDidFire() }
      }
    )
    stream.stallTimeout = serverLoop.timeouts.write
    stream.start(delegate: self)
    if isWelcome {
      waitFor(.idle)
    } else {
      end(
        with: .serviceUnavailable,
        "TOO_MANY_CONNECTIONS: The server has too many open connections. Try again later."
      )
    }
  }

  // MARK: Reading

  func streamDidRead(_ bytes: UnsafeRawBufferPointer) {
    switch state {
    case .ending:
      droppedBytes += bytes.count
      if droppedBytes > serverLoop.options.lingerBytes { close() } else { linger() }
    case .reading:
      // Within the scope of a name, its properties are not retained.
      let serverLoop = serverLoop
      parser.receive(bytes, with: serverLoop.parserMemory)
      advance()
    case .answering, .waitingForClient:
      parser.receive(bytes)
      if !parser.wantsInput {
        isReadingPaused = true
        stream.stopReading()
      }
      if let excess = chargeMore(bytes.count) { end(past: excess) }
    case .closed: break
    }
  }

  /// Processes received bytes until there are none left or a request requires waiting.
  func advance() {
    // A synchronous response is written within this loop, which continues with the next request itself.
    guard !isAdvancing else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    var isFirst = true
    while state == .reading {
      // Pipelined requests of one client must not delay the other clients of the loop.
      if !isFirst && parser.bufferedBytes > 0 && loop.hasLongTurn { return waitForClient() }
      isFirst = false
      if stream.unsentCount > serverLoop.options.unsentBytes {
        stream.flush()
        if stream.unsentCount > serverLoop.options.unsentBytes { return waitForClient() }
      }
      unsentResponse = nil
      switch parser.next(serverLoop.parserMemory) {
      case .request(let request): take(request)
      case .wantsAdmission(var request):
        request.peer = peer
        seekAdmission(for: request)
      case .expectsContinue:
        ResponseEncoder.encodeContinue(into: &stream.output)
        stream.cork()
      case .needsMore: return waitForMore()
      case .bodyTooLong(let request, let failure):
        end(with: serverLoop.handler.rejection(of: request, for: failure))
      case .failure(let failure): end(with: HTTPResponse(rejecting: failure))
      }
    }
  }

  private func take(_ request: consuming HTTPRequest) {
    request.peer = peer
    answer(request)
    // Unless the handler still uses it.
    if state == .reading { serverLoop.parserMemory.takeBytes(of: &request) }
  }

  private func waitForMore() {
    if peerHasEnded || (isDraining && parser.progress == .idle) { return end() }
    if let excess = chargeReceived() { return end(past: excess) }
    if isReadingPaused {
      isReadingPaused = false
      stream.startReading()
    }
    waitFor(parser.progress)
  }

  /// Charges the received part of an incomplete request. Returns the limit that it exceeds, if any.
  private func chargeReceived() -> ByteBudget.Excess? {
    let count = parser.bufferedBytes
    guard count > 0 else {
      charge = nil
      return nil
    }
    if charge == nil { isNetworkKnown = false }
    if !isNetworkKnown { chargeNetwork() }
    return charge?.set(count)
  }

  /// Charges further buffered bytes: those of a request that is being processed, or those after it.
  private func chargeMore(_ count: Int) -> ByteBudget.Excess? {
    if charge == nil { chargeNetwork() }
    return charge.flatMap { $0.set($0.count + count) }
  }

  /// Charges the received part of a long body, and its rest as it arrives, to the payer too.
  func chargeAdmitted(to payer: Payer?, isForm: Bool) -> ByteBudget.Excess? {
    let excess = chargeReceived()
    if let payer { charge?.add(payer) }
    if isForm { charge?.becomeForm() }
    return excess
  }

  /// Before the head has arrived only the peer is known, and behind a proxy not even that.
  private func chargeNetwork() {
    var request = parser.requestInProgress
    request?.peer = peer
    isNetworkKnown = request != nil
    let network = network(of: request)
    if let charge {
      if let network { charge.add(network) }
    } else {
      charge = ByteCharge(serverLoop.receivedBytes, payer: network)
    }
  }

  private func waitFor(_ progress: RequestParser.Progress) {
    // The timeout limits the entire phase: a client that sends byte by byte does not extend it.
    guard progress != awaited else { return }
    awaited = progress
    deadline?.set(after: serverLoop.timeouts.timeout(for: progress), now: loop.now)
  }

  private func waitForClient() {
    state = .waitingForClient
    stopWaiting()
    stream.notifyWhenDrained()
  }

  func stopWaiting() {
    awaited = nil
    deadline?.clear()
  }

  private func timerDidFire() {
    guard deadline?.timerDidFire() == true else { return }
    switch state {
    case .reading where awaited == .idle: end()
    case .reading: end(with: .requestTimeout, "REQUEST_TIMEOUT: The request did not arrive completely in time.")
    // The stream itself cuts off a client that takes nothing.
    case .ending where stream.unsentCount > 0: deadline?.set(after: serverLoop.timeouts.linger)
    case .ending: close()
    case .answering, .waitingForClient, .closed: break
    }
  }

  func streamDidDrain() {
    guard state == .waitingForClient else { return }
    state = .reading
    advance()
  }

  // MARK: Ending

  func streamDidReachEnd() {
    peerHasEnded = true
    // Complete requests are still processed. The client may be gone, however, and a closed socket cannot be
    // distinguished from a half-closed one. The task is therefore cancelled, so that a mutation starts none of its
    // further root fields.
    task?.cancel()
    if state == .reading { end() }
  }

  /// Makes the response to the current or next request the last one.
  func drain() {
    isDraining = true
    if state == .reading && parser.progress == .idle {
      if stream.unsentCount == 0 { close() } else { end() }
    }
  }

  /// Writes an error response and ends the connection.
  func end(with response: consuming HTTPResponse) {
    ResponseEncoder(closingWith: serverLoop.date).encode(response, into: &stream.output)
    end()
  }

  /// Closes the sending side once all responses are written, and the connection once the client has closed its side or
  /// the linger timeout has passed.
  func end() {
    state = .ending
    stopWaiting()
    // The received bytes are no longer needed.
    parser = RequestParser(limits: serverLoop.options.limits)
    charge = nil
    stream.shutdown()
    if isReadingPaused { stream.startReading() }
    lingerEnd = loop.now + ConnectionTimeouts.longestLinger
    linger()
  }

  /// Waits for the client to close the connection, longer while it is still sending.
  private func linger() {
    let now = loop.now
    deadline?.set(after: min(serverLoop.timeouts.linger, lingerEnd > now ? lingerEnd - now : 0))
  }

  func close() {
    state = .closed
    task?.cancel()
    stream.close()
  }

  func streamDidClose(_ error: SystemError?) {
    state = .closed
    // Otherwise its bytes stay in memory until the loop runs the task, which can be later when the loop is busy.
    if task != nil { parser = RequestParser(limits: serverLoop.options.limits) }
    releaseParts()
    charge = nil
    unsentResponse = nil
    serverLoop.remove(ObjectIdentifier(stream))
  }

  /// Releases everything except the stream.
  func releaseParts() {
    task?.cancel()
    task = nil
    work?.close()
    deadline?.close()
    deadline = nil
  }
}
