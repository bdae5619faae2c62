import Bytes
import EventLoop
import WebSocket

/// The server side of a WebSocket. It reads messages for its delegate, responds to pings, checks that the client is
/// alive, and closes as RFC 6455 specifies.
///
/// An idle one keeps its stream, one timer and the state of the reader: no task and no buffers.
package actor WebSocketConnection: TCPStreamDelegate, ServerConnection {
  private enum State {
    case open
    /// The server's close frame is sent, and the client's is awaited.
    case closing
    /// Close frames are exchanged, or a protocol error was answered. Further bytes of the client are dropped.
    case ending
    case closed
  }

  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let stream: TCPStream
  private let timeouts: ConnectionTimeouts
  private var unsent: UnsentBytes
  private let messageLimits: WebSocketLimits
  private let budget: ByteBudget
  private let network: Payer?
  private var person: Payer?
  /// The charge for an incomplete message and for unprocessed bytes; nil if there are none.
  private var charge: ByteCharge?
  private let didClose: @Sendable () -> Void
  private var delegate: (any WebSocketDelegate)?
  private var reader: MessageReader
  private var state = State.open
  private var deadline: ConnectionDeadline?
  private var isPongAwaited = false
  /// Whether messages wait until the client has read what was sent: it is a slow consumer, or the loop's turn was long.
  private var awaitsDrain = false
  /// Whether messages wait for `releaseMessages()`.
  private var isHeld = false
  private var isReadingPaused: Bool { awaitsDrain || isHeld }
  /// Received bytes that are not processed yet, for the reasons why reading is paused.
  private var heldBack: [UInt8] = []

  init(
    _ stream: sending TCPStream,
    delegate: any WebSocketDelegate,
    budget: ByteBudget,
    network: Payer?,
    unsent: sending UnsentBytes,
    options: HTTPServerOptions,
    timeouts: ConnectionTimeouts,
    didClose: @escaping @Sendable () -> Void
  ) {
    loop = stream.loop
    self.stream = stream
    self.delegate = delegate
    self.timeouts = timeouts
    self.didClose = didClose
    self.unsent = unsent
    messageLimits = options.webSocketLimits
    self.budget = budget
    self.network = network
    let unidentified = min(options.unidentifiedMessageBytes, options.webSocketLimits.messageBytes)
    reader = MessageReader(limits: WebSocketLimits(messageBytes: unidentified))
  }

  /// Raises the limit on messages after the client was identified. They are charged to `person` too.
  package func raiseLimits(for person: Payer) {
    reader.limits = messageLimits
    self.person = person
  }

  /// Charges the client for a message that the delegate keeps, for the lifetime of the returned value. If a limit is
  /// exceeded, returns nil and closes the connection.
  package func reserve(_ count: Int) -> ByteReservation? {
    let reservation = ByteReservation(count, of: budget, [network, person].compactMap(\.self))
    guard let excess = reservation.excess else { return reservation }
    close(past: excess)
    return nil
  }

  private func makeCharge() -> ByteCharge {
    let charge = ByteCharge(budget, payer: network)
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
    close(CloseReason(.tryAgainLater, text: "\(excess.text)"))
    // An incomplete message is no longer needed.
    reader = MessageReader(limits: WebSocketLimits(messageBytes: 0))
    charge = nil
  }

  /// `remainder` contains the bytes received after the handshake.
  func start(_ remainder: [UInt8]) {
    let timer = LoopTimer(on: loop) { [self] in assumeOnLoop { $0.timerDidFire() } }
    deadline = ConnectionDeadline(timer: timer)
    deadline?.set(after: timeouts.ping)
    stream.keptCapacity = 0
    stream.start(delegate: self)
    delegate?.didOpen(self)
    remainder.withUnsafeBytes { if !$0.isEmpty { streamDidRead($0) } }
  }

  // MARK: Sending

  /// Sends a text message.
  package func send(text: [UInt8]) { send { $0.append(frame: .text, text) } }

  /// Sends a binary message.
  package func send(binary: [UInt8]) { send { $0.append(frame: .binary, binary) } }

  /// Lets `write` append complete frames to the output. Does nothing once the connection is closing.
  package func send(_ write: (inout ByteBuffer) -> Void) {
    guard state == .open else { return }
    write(&stream.output)
    didAppend()
  }

  private func didAppend() {
    stream.cork()
    guard isBehind else { return }
    // A client that does not read is disconnected before its unsent messages exceed the memory for them.
    guard unsent.charge(stream) else { return stream.close() }
    // Backpressure: a client that does not read its responses cannot send further requests for now.
    if !awaitsDrain { awaitDrain() }
  }

  /// Delivers no further message until the stream is drained, in a later turn of the loop.
  private func awaitDrain() {
    pauseReading()
    awaitsDrain = true
    stream.notifyWhenDrained()
  }

  /// Sends a text message of `head`, `bytes` and `tail`. Many bytes are not copied.
  package func send(text bytes: consuming ByteBuffer, after head: [UInt8], before tail: StaticString) {
    guard state == .open else { return }
    stream.output.appendHeader(ofFrame: .text, length: head.count + bytes.count + tail.utf8CodeUnitCount)
    stream.output.append(head)
    stream.append(bytes)
    stream.output.append(tail)
    didAppend()
  }

  /// Whether the client is a slow consumer, to which no further events should be sent.
  package var isBehind: Bool { unsent.isBehind(stream) }

  package func streamDidDrain() {
    unsent.release()
    guard awaitsDrain else { return }
    awaitsDrain = false
    if !isHeld { resumeReading() }
    if !awaitsDrain { delegate?.didDrain() }
  }

  // MARK: Receiving

  /// Delivers no further message until `releaseMessages()`, because the delegate is processing one and their order
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
      deadline?.set(after: timeouts.ping)
    }
    var input = bytes
    var isFirst = true
    // Each message can have a large response: the remaining bytes wait here and in the kernel.
    while !isReadingPaused, state == .open || state == .closing {
      // The messages of one client must not delay the other clients of the loop.
      if !isFirst && !input.isEmpty && loop.hasLongTurn {
        awaitDrain()
      } else {
        guard let event = reader.next(&input) else { break }
        handle(event)
        isFirst = false
      }
    }
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
      // Section 5.5.1: echoes the code, unless this is the response to the server's close frame.
      end(with: reason.map { CloseReason($0.code) })
    case .failure(let failure): end(with: failure.reason(limits: reader.limits, identified: messageLimits))
    }
  }

  private func timerDidFire() {
    guard deadline?.timerDidFire() == true else { return }
    switch state {
    // A pong could not be read, or the client could not have received the ping yet. The stream itself cuts off a client
    // that takes nothing.
    case .open where isReadingPaused || stream.unsentCount > 0:
      isPongAwaited = false
      deadline?.set(after: timeouts.ping)
    case .open where isPongAwaited: stream.close()
    case .open:
      isPongAwaited = true
      send { $0.append(frame: .ping, []) }
      deadline?.set(after: timeouts.pong)
    case .closing where stream.unsentCount > 0: deadline?.set(after: timeouts.linger)
    case .ending where stream.unsentCount > 0: deadline?.set(after: timeouts.linger)
    case .closing, .ending: stream.close()
    case .closed: break
    }
  }

  // MARK: Ending

  /// Sends a close frame, and closes when the client has responded or the timeout has passed.
  package func close(_ reason: CloseReason) {
    guard state == .open else { return }
    stream.output.append(close: reason)
    stream.cork()
    state = .closing
    endPause()
    deadline?.set(after: timeouts.linger)
    leave()
  }

  /// Close frames are exchanged: the server closes the connection first (section 7.1.1) and drops further bytes.
  private func end(with reason: CloseReason?) {
    if state == .open { stream.output.append(close: reason) }
    state = .ending
    stream.shutdown()
    endPause()
    deadline?.set(after: timeouts.linger)
    leave()
  }

  /// The connection is closing: drops what waits.
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

  /// The client has disconnected without a close frame.
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
