import EventLoop
import HTTP

/// Responding to requests: synchronously if the handler can, otherwise in the connection's task.
extension HTTPConnection {
  func answer(_ request: HTTPRequest) {
    state = .answering
    stopWaiting()
    // Within the scope of a name, its properties are not retained.
    let serverLoop = serverLoop
    settle(serverLoop.answering.call(on: serverLoop.handler, with: request), of: request)
  }

  private func settle(_ answer: consuming HTTPAnswer, of request: HTTPRequest) {
    // The connection has closed in the meantime.
    guard state == .answering else { return }
    switch consume answer {
    case .response(let response): finish(response, of: request)
    case .stream(let headers, let writer): begin(headers, writer: writer, of: request)
    case .webSocket(let handshake, let delegate): upgrade(request, handshake: handshake, delegate: delegate)
    case .deferred(let held, let rest):
      guard reserveUnsent(held, for: request) else { return }
      if let excess = chargeHeld(request) { return end(past: excess) }
      handOver(.answer(request, rest))
    }
  }

  /// A request that waits and has at most this size is not charged further: the connection itself uses as much memory.
  private static var freeBytes: Int { 4096 }

  /// Charges a request that stays in memory as a whole, with the bytes after it: it is charged only in part if it
  /// arrived in pieces, and not at all if it arrived with a single read. Returns the limit that it exceeds, if any.
  func chargeHeld(_ request: HTTPRequest) -> ByteBudget.Excess? {
    let held = request.bodyLength + parser.bufferedBytes
    guard held > Self.freeBytes else { return nil }
    let charge = charge ?? ByteCharge(serverLoop.receivedBytes, payer: nil)
    self.charge = charge
    // The parser no longer knows the head, which names the network behind a proxy.
    if let network = network(of: request) { charge.add(network) }
    return charge.set(held)
  }

  /// Asks the handler whether a long body is admitted.
  func seekAdmission(for request: HTTPRequest) {
    state = .answering
    stopWaiting()
    handOver(.admission(request))
  }

  private func handOver(_ request: ConnectionWork) {
    let work = work ?? Handover()
    work.give(request)
    guard task == nil else { return }
    self.work = work
    task = Task(executorPreference: loop) { await self.serve() }
  }

  /// Processes the requests that require waiting, one after the other. The task prefers the loop's executor. Otherwise
  /// a handler that waited for another thread would return through Swift's global pool, and wait for that too.
  ///
  /// There is one task per connection: 4.4 µs for each request in all, compared with 4.9 µs with a task per request. It
  /// keeps 2.5 KB between requests. It waits here and not in functions that it calls: after each asynchronous call of a
  /// generic actor, the runtime looks up its type and executor, which takes some 700 instructions.
  private func serve() async {
    guard let work else { return }
    while state != .closed {
      let next: ConnectionWork
      if let given = work.take() {
        next = given
      } else {
        // The closure captures nothing of the connection. Otherwise the runtime would check that it is called on the
        // loop, which takes 500 instructions.
        guard let given = await withUnsafeContinuation({ work.wait($0) }) else { return }
        next = given
      }
      switch consume next {
      case .answer(let request, let rest):
        let answer: HTTPAnswer
        do {
          // What is charged and reserved is released only when the handler has finished with the request's body and
          // with the response that it holds, even if the client has disconnected.
          let held = (charge, unsentResponse)
          answer = await rest(request)
          withExtendedLifetime(held) {}
        }
        settle(answer, of: request)
      case .admission(let request):
        settleAdmission(await serverLoop.handler.admit(request))
      }
    }
  }

  private func settleAdmission(_ admission: consuming BodyAdmission) {
    guard state == .answering else { return }
    switch consume admission {
    case .rejected(let response): return end(with: response)
    case .admitted(let payer):
      parser.admit()
      // The received bytes are charged to the payer now, the rest as it arrives.
      if let excess = chargeAdmitted(to: payer, isForm: parser.progress == .admittedForm) { return end(past: excess) }
      state = .reading
      advance()
    }
  }

  private func finish(_ response: consuming HTTPResponse, of request: HTTPRequest) {
    // The bytes after the request are charged separately.
    charge = nil
    var encoder = ResponseEncoder(answering: request)
    encoder.date = serverLoop.date
    if isDraining { encoder.keepAlive = false }
    let sendsBody = encoder.sendsBody(of: response.status)
    guard reserveUnsent(sendsBody ? response.body.count : 0, for: request) else { return }
    if sendsBody && response.body.count > serverLoop.options.unsentBytes {
      let length = response.body.count
      encoder.encodeHead(response.status, headers: response.headers, contentLength: length, into: &stream.output)
      stream.append(response.takeBody())
    } else {
      encoder.encode(response, into: &stream.output)
      stream.cork()
    }
    state = .reading
    if encoder.keepAlive { advance() } else { end() }
  }

  /// Reserves the bytes of a response if they are many. Ends the connection if there is no room for them.
  ///
  /// - Returns: whether there is room.
  private func reserveUnsent(_ bytes: Int, for request: HTTPRequest) -> Bool {
    // The response may have been held before, and be compressed now.
    unsentResponse = nil
    guard bytes > serverLoop.options.unsentBytes else { return true }
    let reservation = ByteReservation(bytes, of: serverLoop.unsentResponses, network(of: request).map { [$0] } ?? [])
    if let excess = reservation.excess {
      end(withoutRoomFor: excess)
      return false
    }
    unsentResponse = reservation
    return true
  }

  /// The network that is charged for a request or its response; nil if it is not known.
  /// - Parameter request: nil if its head has not arrived.
  func network(of request: HTTPRequest?) -> Payer? {
    let peer = peer
    var network: Payer?
    serverLoop.handler.assumeOnLoop { network = $0.network(of: request, peer: peer) }
    return network
  }

  func end(with status: HTTPStatus, _ text: StaticString) { end(with: HTTPResponse(closingWith: status, text: text)) }

  private func end(withoutRoomFor excess: ByteBudget.Excess) {
    switch excess {
    case .network, .person:
      end(
        with: .tooManyRequests,
        "TOO_MANY_RESPONSES: Your network has too many unread responses. Try again later."
      )
    case .total, .forms:
      end(with: .serviceUnavailable, "TOO_MANY_RESPONSES: The server has too many unsent responses. Try again later.")
    }
  }
}
