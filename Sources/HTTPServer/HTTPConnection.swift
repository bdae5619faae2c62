import Bytes
import EventLoop
import HTTP

/// One client's connection: reads requests, has them answered one after the other in the order they came, and ends it
/// when either side wants that or a limit is passed.
actor HTTPConnection<Handler: HTTPHandler>: TCPStreamDelegate, ServerConnection {
  enum State {
    /// Waiting for a request, or for the rest of one.
    case reading
    /// The handler has a request.
    case answering
    /// The client has to take answers before it gets more.
    case waitingForClient
    /// The last answer has been given. What the client still sends is dropped.
    case ending
    case closed
  }

  /// What `serve()` asks the handler.
  enum Work {
    case answer(HTTPRequest, @Sendable () async -> HTTPAnswer)
    case admission(HTTPRequest)
  }

  /// How much a client may send after its last answer before it is cut off.
  private static var droppedBytesLimit: Int { 32 << 20 }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let home: ServerLoop<Handler>
  let stream: TCPStream
  var parser: RequestParser
  var state = State.reading
  private var deadline: ConnectionDeadline?
  /// What the deadline is for, while reading.
  private var awaited: RequestParser.Progress?
  /// Runs `serve()`; made with the first request that takes waiting.
  var task: Task<Void, Never>?
  /// What `serve()` is to do next.
  var work = Handover<Work>()
  /// What has been received and is held: nothing of a request that came whole with one read.
  var charge: ByteCharge?
  /// Whether the charge's network is known for certain.
  private var isNetworkKnown = false
  /// For a long response that the client has not taken yet.
  var unsentResponse: ByteReservation?
  private var isAdvancing = false
  private var isReadingPaused = false
  private(set) var isDraining = false
  private var peerHasEnded = false
  private var droppedBytes = 0
  /// Until when the client may go on sending, in the loop's milliseconds.
  private var lingerEnd: UInt64 = 0
  /// Looked up with the first request.
  private lazy var peer = stream.peerAddress

  init(_ stream: sending TCPStream, in home: ServerLoop<Handler>) {
    loop = home.loop
    self.home = home
    self.stream = stream
    parser = RequestParser(limits: home.options.limits)
  }

  func start(isWelcome: Bool) {
    deadline = ConnectionDeadline(
      timer: LoopTimer(on: loop) { [self] in
        assumeIsolated { $0.timerDidFire() }
      }
    )
    stream.stallTimeout = home.patience.write
    stream.start(delegate: self)
    if isWelcome {
      waitFor(.idle)
    } else {
      end(
        with: .serviceUnavailable,
        "TOO_MANY_CONNECTIONS: The server has as many connections as it can take. Try later.\n"
      )
    }
  }

  // MARK: Reading

  func streamDidRead(_ bytes: UnsafeRawBufferPointer) {
    switch state {
    case .ending:
      droppedBytes += bytes.count
      if droppedBytes > Self.droppedBytesLimit { close() } else { linger() }
    case .reading:
      parser.receive(bytes)
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

  /// Deals with what has been received, for as long as there is something and nothing to wait for.
  func advance() {
    // An answer that comes at once is given from within this loop, which goes on with the next request itself.
    guard !isAdvancing else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    var isFirst = true
    while state == .reading {
      // Requests that a client has sent without waiting for answers do not keep the loop from the other clients.
      if !isFirst && loop.hasLongTurn { return waitForClient() }
      isFirst = false
      if stream.unsentCount > home.options.unsentBytes {
        stream.flush()
        if stream.unsentCount > home.options.unsentBytes { return waitForClient() }
      }
      unsentResponse = nil
      switch parser.next() {
      case .request(var request):
        request.peer = peer
        answer(request)
      case .wantsAdmission(var request):
        request.peer = peer
        seekAdmission(for: request)
      case .expectsContinue:
        ResponseEncoder.encodeContinue(into: &stream.output)
        stream.cork()
      case .needsMore: return waitForMore()
      case .failure(let failure): end(with: HTTPResponse(refusing: failure))
      }
    }
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

  /// Charges what has come of a request that has not come whole. Returns the limit that it passes.
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

  /// Charges what is held beside what has been charged: a request that the handler waits with, or what follows one.
  func chargeMore(_ count: Int) -> ByteBudget.Excess? {
    if charge == nil { chargeNetwork() }
    return charge.flatMap { $0.set($0.count + count) }
  }

  /// Charges what has come of a long body, and what will come, to its owner too.
  func chargeAdmitted(to owner: ByteOwner?, isForm: Bool) -> ByteBudget.Excess? {
    let excess = chargeReceived()
    if let owner { charge?.add(owner) }
    if isForm { charge?.becomeForm() }
    return excess
  }

  /// Before the head has come only the peer is known, and behind a proxy not even that.
  private func chargeNetwork() {
    var request = parser.requestInProgress
    request?.peer = peer
    isNetworkKnown = request != nil
    let (head, peer) = (request, peer)
    var network: ByteOwner?
    home.handler.assumeIsolated { network = $0.network(of: head, peer: peer) }
    if let charge {
      if let network { charge.add(network) }
    } else {
      charge = ByteCharge(home.receivedBytes, owner: network)
    }
  }

  private func waitFor(_ progress: RequestParser.Progress) {
    // The time is for the whole of what is awaited, and not longer for a client that sends it bit by bit.
    guard progress != awaited else { return }
    awaited = progress
    deadline?.set(after: home.patience.time(for: progress))
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
    case .reading: end(with: .requestTimeout, "REQUEST_TIMEOUT: The request did not arrive whole in time.\n")
    // The stream itself cuts off a client that takes nothing.
    case .ending where stream.unsentCount > 0: deadline?.set(after: home.patience.linger)
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
    // Requests that have come whole are answered first. The client may have gone, though, and a socket that is closed
    // looks like one of which only this half is: a mutation then starts none of its further root fields.
    task?.cancel()
    if state == .reading { end() }
  }

  /// From now on the answer to a request is the last.
  func drain() {
    isDraining = true
    if state == .reading && parser.progress == .idle {
      if stream.unsentCount == 0 { close() } else { end() }
    }
  }

  func end(with status: HTTPStatus, _ text: StaticString) {
    var body = ByteBuffer()
    body.append(text)
    end(with: HTTPResponse(status, body: body))
  }

  /// Says why there will be no other answer, and ends the connection.
  func end(with response: consuming HTTPResponse) {
    ResponseEncoder(closingWith: home.date).encode(response, into: &stream.output)
    end()
  }

  /// Ends the connection from this side once all answers are written, and closes it when the client has ended it too,
  /// or has had its time.
  func end() {
    state = .ending
    stopWaiting()
    // What was received is of no more use.
    parser = RequestParser(limits: home.options.limits)
    charge = nil
    stream.shutdown()
    if isReadingPaused { stream.startReading() }
    lingerEnd = loop.now + home.patience.longestLinger
    linger()
  }

  /// Waits for the client to end the connection, longer while it is still sending.
  private func linger() {
    let now = loop.now
    deadline?.set(after: min(home.patience.linger, lingerEnd > now ? lingerEnd - now : 0))
  }

  /// Ends the connection since more has been received than can be held.
  func end(past excess: ByteBudget.Excess) {
    switch excess {
    case .total:
      end(with: .serviceUnavailable, "TOO_MANY_BYTES: The server is receiving all that it can. Try again later.\n")
    case .forms:
      end(
        with: .serviceUnavailable,
        "TOO_MANY_UPLOADS: The server is receiving all files that it can. Try again later.\n"
      )
    case .network:
      end(with: .tooManyRequests, "TOO_MANY_BYTES: Your network is sending all that it may. Try again later.\n")
    case .person:
      end(with: .tooManyRequests, "TOO_MANY_BYTES: You are sending all that you may. Try again later.\n")
    }
  }

  func close() {
    state = .closed
    task?.cancel()
    stream.close()
  }

  func streamDidClose(_ error: SystemError?) {
    state = .closed
    letGo()
    charge = nil
    unsentResponse = nil
    home.remove(ObjectIdentifier(stream))
  }

  /// Of what it has beside the stream.
  func letGo() {
    task?.cancel()
    task = nil
    work.close()
    deadline?.close()
    deadline = nil
  }
}
