import Bytes
import EventLoop
import HTTP

/// From a request to its answer: without waiting where the handler can, or else in the connection's task.
extension HTTPConnection {
  func answer(_ request: HTTPRequest) {
    state = .answering
    stopWaiting()
    var answer: HTTPAnswer?
    home.handler.assumeIsolated { answer = $0.answer(request) }
    if let answer = answer.take() { settle(answer, of: request) }
  }

  private func settle(_ answer: consuming HTTPAnswer, of request: HTTPRequest) {
    // The connection has closed in the meantime.
    guard state == .answering else { return }
    switch consume answer {
    case .response(let response): finish(response, of: request)
    case .stream(let headers, let writer): begin(headers, writer, of: request)
    case .webSocket(let handshake, let delegate): upgrade(request, handshake, delegate)
    case .deferred(let rest):
      // A request that came in pieces is charged already.
      let held = request.body.count + parser.bufferedBytes
      if charge == nil, held > Self.freeBytes, let excess = chargeMore(held) { return end(past: excess) }
      handOver(.answer(request, rest))
    }
  }

  /// A request with a body of at most so many bytes that came whole is not charged: the connection itself takes as
  /// much.
  private static var freeBytes: Int { 4096 }

  /// Asks the handler whether a long body is read.
  func seekAdmission(for request: HTTPRequest) {
    state = .answering
    stopWaiting()
    handOver(.admission(request))
  }

  private func handOver(_ request: Work) {
    work.give(request)
    if task == nil { task = Task(executorPreference: loop) { await self.serve() } }
  }

  /// Has one request after another answered. It prefers the loop's executor, or a handler that has waited for another
  /// thread would come back by way of Swift's own pool, and wait for that too.
  ///
  /// One task for a connection: 4.4 µs a request in all, against 4.9 with a task for each request. Between requests it
  /// keeps 2.5 KB.
  private func serve() async {
    while let work = await nextWork() {
      switch work {
      case .answer(let request, let rest):
        // Given back only when the handler is done with the body, also where the client has gone.
        let charge = charge
        let answer = await rest()
        withExtendedLifetime(charge) {}
        settle(answer, of: request)
      case .admission(let request):
        settleAdmission(of: request, await home.handler.admit(request))
      }
    }
  }

  private func settleAdmission(of request: HTTPRequest, _ admission: consuming BodyAdmission) {
    guard state == .answering else { return }
    switch consume admission {
    case .rejected(let response): return end(with: response)
    case .admitted(let owner):
      parser.admit()
      // What has come is charged now, so that the owner is; what comes as it comes.
      if let excess = chargeAdmitted(to: owner, isForm: parser.progress == .admittedForm) { return end(past: excess) }
      state = .reading
      advance()
    }
  }

  /// Nil when the connection is closed.
  private func nextWork() async -> Work? {
    if state == .closed { return nil }
    if let request = work.take() { return request }
    return await withUnsafeContinuation { work.wait($0) }
  }

  private func finish(_ response: consuming HTTPResponse, of request: HTTPRequest) {
    // What follows the request is charged anew.
    charge = nil
    var encoder = ResponseEncoder(answering: request)
    encoder.date = home.date
    if isDraining { encoder.keepAlive = false }
    if response.body.count > home.options.unsentBytes {
      let reservation = ByteReservation(response.body.count, of: home.unsentResponses, networks(of: request))
      if let excess = reservation.excess { return end(withoutRoomFor: excess) }
      unsentResponse = reservation
    }
    encoder.encode(response, into: &stream.output)
    stream.cork()
    state = .reading
    if encoder.keepAlive { advance() } else { end() }
  }

  /// The network that is charged for a response; none where it is not known.
  func networks(of request: HTTPRequest) -> [ByteOwner] {
    var network: ByteOwner?
    home.handler.assumeIsolated { network = $0.network(of: request, peer: request.peer) }
    return network.map { [$0] } ?? []
  }

  private func end(withoutRoomFor excess: ByteBudget.Excess) {
    switch excess {
    case .network, .person:
      end(
        with: .tooManyRequests,
        "TOO_MANY_RESPONSES: Your network has as many responses unread as it may. Try again later.\n"
      )
    case .total, .forms:
      end(with: .serviceUnavailable, "TOO_MANY_RESPONSES: The server is sending all that it can. Try again later.\n")
    }
  }
}
