import Bytes
import EventLoop
import WebSocket

/// A connection that has become a WebSocket: reads messages for its owner, answers pings, sees to it that the client is
/// still there, and closes as RFC 6455 has it.
///
/// An idle one keeps its stream, one timer and the reader's few words: no task and no buffers.
package actor WebSocketConnection: TCPStreamDelegate, ServerConnection {
  private enum State {
    case open
    /// Our close frame is sent, and the client's awaited.
    case closing
    /// Both are exchanged, or one that could not be understood was answered. What the client still sends is dropped.
    case ending
    case closed
  }

  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let stream: TCPStream
  private let patience: Patience
  private var unsent: UnsentBytes
  private let messageLimits: WebSocketLimits
  private let budget: ByteBudget
  private let network: ByteOwner?
  private var person: ByteOwner?
  /// For an unfinished message and what is held back; nil while there is neither.
  private var charge: ByteCharge?
  private let didClose: @Sendable () -> Void
  private var delegate: (any WebSocketDelegate)?
  private var reader: MessageReader
  private var state = State.open
  private var deadline: ConnectionDeadline?
  private var isPongAwaited = false
  /// Whether the client is behind, and its messages wait until it has taken what it was sent.
  private var awaitsDrain = false
  /// Whether messages wait for the delegate.
  private var isHeld = false
  private var isReadingPaused: Bool { awaitsDrain || isHeld }
  /// What was received and not looked at, because the client is behind or the delegate is busy.
  private var heldBack: [UInt8] = []

  init(
    _ stream: sending TCPStream,
    delegate: any WebSocketDelegate,
    budget: ByteBudget,
    network: ByteOwner?,
    unsent: sending UnsentBytes,
    options: HTTPServerOptions,
    patience: Patience,
    didClose: @escaping @Sendable () -> Void
  ) {
    loop = stream.loop
    self.stream = stream
    self.delegate = delegate
    self.patience = patience
    self.didClose = didClose
    self.unsent = unsent
    messageLimits = options.webSocketLimits
    self.budget = budget
    self.network = network
    let unidentified = min(options.unidentifiedMessageBytes, options.webSocketLimits.messageBytes)
    reader = MessageReader(limits: WebSocketLimits(messageBytes: unidentified))
  }

  /// Messages may be as long as the options say: the client is known. They are charged to `person` too.
  package func raiseLimits(for person: ByteOwner) {
    reader.limits = messageLimits
    self.person = person
  }

  /// Charges the client for a message that its delegate keeps, for as long as the value is kept. Nil, and the
  /// connection closes, when too much is held.
  package func reserve(_ count: Int) -> ByteReservation? {
    let reservation = ByteReservation(count, of: budget, [network, person].compactMap(\.self))
    guard let excess = reservation.excess else { return reservation }
    close(past: excess)
    return nil
  }

  private func makeCharge() -> ByteCharge {
    let charge = ByteCharge(budget, owner: network)
    if let person { charge.add(person) }
    return charge
  }

  private func chargeReceived() {
    let count = reader.bufferedBytes + heldBack.count
    guard count > 0 else { return charge = nil }
    let charge = charge ?? makeCharge()
    self.charge = charge
    if let excess = charge.set(count) { close(past: excess) }
  }

  private func close(past excess: ByteBudget.Excess) {
    heldBack = []
    let text =
      switch excess {
      case .total, .forms: "TOO_MANY_BYTES: The server is receiving all that it can."
      case .network: "TOO_MANY_BYTES: Your network is sending all that it may."
      case .person: "TOO_MANY_BYTES: You are sending all that you may."
      }
    close(CloseReason(.tryAgainLater, text))
    // What is unfinished is of no more use.
    reader = MessageReader(limits: WebSocketLimits(messageBytes: 0))
    charge = nil
  }

  /// `remainder` is what came after the handshake's request.
  func start(_ remainder: [UInt8]) {
    deadline = ConnectionDeadline(
      timer: LoopTimer(on: loop) { [self] in
        assumeIsolated { $0.timerDidFire() }
      }
    )
    deadline?.set(after: patience.ping)
    stream.keptCapacity = 64
    stream.start(delegate: self)
    delegate?.didOpen(self)
    remainder.withUnsafeBytes { if !$0.isEmpty { streamDidRead($0) } }
  }

  // MARK: Sending

  /// Sends a message of text.
  package func send(text: [UInt8]) { send { $0.append(frame: .text, text) } }

  /// Sends a message of anything.
  package func send(binary: [UInt8]) { send { $0.append(frame: .binary, binary) } }

  /// Lets `write` append whole frames to what is sent. Nothing is, once the connection is closing.
  package func send(_ write: (inout ByteBuffer) -> Void) {
    guard state == .open else { return }
    write(&stream.output)
    stream.cork()
    // Who does not take the answers gets to ask no more for now.
    guard isBehind else { return }
    // A client that does not read is cut off before its messages take more memory than there is for them.
    guard unsent.charge(stream) else { return stream.close() }
    guard !awaitsDrain else { return }
    pauseReading()
    awaitsDrain = true
    stream.notifyWhenDrained()
  }

  /// Whether the client leaves so much untaken that it should be sent no more that it did not ask for.
  package var isBehind: Bool { unsent.isBehind(stream) }

  package func streamDidDrain() {
    unsent.release()
    guard awaitsDrain else { return }
    awaitsDrain = false
    if !isHeld { resumeReading() }
    if !awaitsDrain { delegate?.didDrain() }
  }

  // MARK: Receiving

  /// Delivers no further message until `releaseMessages()`: the delegate is busy with the last one, and their order
  /// matters.
  package func holdMessages() {
    pauseReading()
    isHeld = true
  }

  package func releaseMessages() {
    guard isHeld else { return }
    isHeld = false
    if !awaitsDrain { resumeReading() }
  }

  private func pauseReading() { if !isReadingPaused { stream.stopReading() } }

  package func streamDidRead(_ bytes: UnsafeRawBufferPointer) {
    guard state == .open || state == .closing else { return }
    if state == .open {
      isPongAwaited = false
      deadline?.set(after: patience.ping)
    }
    var input = bytes
    // Each message may be answered by much: what is still to come waits here as well as in the kernel.
    while !isReadingPaused, state == .open || state == .closing, let event = reader.next(&input) { handle(event) }
    if isReadingPaused { heldBack += input }
    if charge != nil || reader.bufferedBytes > 0 || !heldBack.isEmpty { chargeReceived() }
  }

  private func handle(_ event: MessageReader.Event) {
    switch event {
    case .text(let text): if state == .open { delegate?.didReceive(text: text) }
    case .binary(let bytes): if state == .open { delegate?.didReceive(binary: bytes) }
    case .ping(let payload): send { $0.append(frame: .pong, payload) }
    case .pong: break
    case .close(let reason):
      // Section 5.5.1: the same code back, unless it is the answer to ours.
      if state == .open { stream.output.append(close: reason.map { CloseReason($0.code) }) }
      end()
    case .failure(let failure):
      if state == .open { stream.output.append(close: failure.reason) }
      end()
    }
  }

  private func timerDidFire() {
    guard deadline?.timerDidFire() == true else { return }
    switch state {
    case .open where isPongAwaited: stream.close()
    case .open:
      isPongAwaited = true
      send { $0.append(frame: .ping, []) }
      deadline?.set(after: patience.pong)
    // The stream itself cuts off a client that takes nothing.
    case .closing where stream.unsentCount > 0: deadline?.set(after: patience.linger)
    case .ending where stream.unsentCount > 0: deadline?.set(after: patience.linger)
    case .closing, .ending: stream.close()
    case .closed: break
    }
  }

  // MARK: Ending

  /// Says why, and closes when the client has said the same or has had its time.
  package func close(_ reason: CloseReason) {
    guard state == .open else { return }
    stream.output.append(close: reason)
    stream.cork()
    state = .closing
    endPause()
    deadline?.set(after: patience.linger)
    leave()
  }

  /// Everything is said: the server closes first (section 7.1.1), and drops what still comes.
  private func end() {
    state = .ending
    stream.shutdown()
    endPause()
    deadline?.set(after: patience.linger)
    leave()
  }

  /// The connection is closing: nothing waits any more.
  private func endPause() {
    guard isReadingPaused else { return }
    awaitsDrain = false
    isHeld = false
    resumeReading()
  }

  private func resumeReading() {
    stream.startReading()
    let held = heldBack
    heldBack = []
    held.withUnsafeBytes { if !$0.isEmpty { streamDidRead($0) } }
  }

  private func leave() {
    delegate?.webSocketHasClosed()
    delegate = nil
  }

  func drain() { delegate?.shouldGoAway() }

  func close() { stream.close() }

  /// Without a close frame: the client is gone.
  package func streamDidReachEnd() { stream.close() }

  package func streamDidClose(_ error: SystemError?) {
    state = .closed
    deadline?.close()
    deadline = nil
    unsent.release()
    leave()
    didClose()
  }
}
