import Bytes
import EventLoop
import HTTP

/// A streamed response. It is the last one on its connection: bytes that the client sends are dropped, and a
/// half-closed connection counts as closed.
package actor ResponseStream: TCPStreamDelegate, ServerConnection {
  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let stream: TCPStream
  /// False for HTTP/1.0, which has no chunks: the body ends with the connection.
  private let isChunked: Bool
  private let timeouts: ConnectionTimeouts
  private var unsent: UnsentBytes
  private let didClose: @Sendable () -> Void
  private var writer: (any ResponseStreamWriter)?
  /// The charge for the request, which the writer keeps in memory.
  private var charge: ByteCharge?
  private var deadline: ConnectionDeadline?
  private var isEnding = false

  init(
    _ stream: sending TCPStream,
    isChunked: Bool,
    writer: any ResponseStreamWriter,
    charge: sending ByteCharge?,
    unsent: sending UnsentBytes,
    timeouts: ConnectionTimeouts,
    didClose: @escaping @Sendable () -> Void
  ) {
    loop = stream.loop
    self.stream = stream
    self.isChunked = isChunked
    self.writer = writer
    self.charge = charge
    self.timeouts = timeouts
    self.didClose = didClose
    self.unsent = unsent
  }

  func start() {
    deadline = ConnectionDeadline(
      timer: LoopTimer(on: loop) { [self] in
        assumeOnLoop { $0.timerDidFire() }
      }
    )
    deadline?.set(after: timeouts.heartbeat)
    stream.keptCapacity = 0
    stream.start(delegate: self)
    stream.cork()
    let stream = self
    writer?.assumeOnLoop { $0.responseDidBegin(stream) }
  }

  /// Appends to the body.
  package func send(_ bytes: UnsafeRawBufferPointer) {
    guard writer != nil, !isEnding, !bytes.isEmpty else { return }
    if isChunked { stream.output.append(chunk: bytes) } else { stream.output.append(bytes) }
    didAppend()
  }

  package func send(_ bytes: [UInt8]) { bytes.withUnsafeBytes { send($0) } }

  /// Appends `head`, `bytes` and `tail` to the body, as one chunk. Many bytes are not copied.
  package func send(_ bytes: consuming ByteBuffer, after head: [UInt8], before tail: [UInt8]) {
    guard writer != nil, !isEnding else { return }
    if isChunked { stream.output.appendHead(ofChunk: head.count + bytes.count + tail.count) }
    stream.output.append(head)
    stream.append(bytes)
    stream.output.append(tail)
    if isChunked { stream.output.appendChunkEnd() }
    didAppend()
  }

  private func didAppend() {
    stream.cork()
    deadline?.set(after: timeouts.heartbeat)
    guard isBehind else { return }
    // A client that does not read is disconnected before its unsent bytes exceed the memory for them.
    guard unsent.charge(stream) else { return stream.close() }
    stream.notifyWhenDrained()
  }

  /// Whether the client is a slow consumer, to which no more should be sent.
  package var isBehind: Bool { unsent.isBehind(stream) }

  /// Ends the body.
  package func end() {
    guard !isEnding else { return }
    isEnding = true
    if isChunked { stream.output.appendLastChunk() }
    stream.shutdown()
    deadline?.set(after: timeouts.linger)
    leave()
  }

  private func timerDidFire() {
    guard deadline?.timerDidFire() == true else { return }
    guard isEnding else {
      var heartbeat: [UInt8] = []
      writer?.assumeOnLoop { heartbeat = $0.heartbeat }
      send(heartbeat)
      deadline?.set(after: timeouts.heartbeat)
      return
    }
    // The stream itself cuts off a client that takes nothing.
    if stream.unsentCount > 0 { deadline?.set(after: timeouts.linger) } else { stream.close() }
  }

  private func leave() {
    writer?.assumeOnLoop { $0.responseDidEnd() }
    writer = nil
  }

  func drain() { writer?.assumeOnLoop { $0.responseShouldEnd() } }

  /// Ends the connection without ending the body, so that the client knows that something is missing.
  package func close() { stream.close() }

  package func streamDidRead(_ bytes: UnsafeRawBufferPointer) {}

  package func streamDidDrain() {
    unsent.release()
    writer?.assumeOnLoop { $0.responseDidDrain() }
  }

  package func streamDidReachEnd() { if !isEnding { stream.close() } }

  package func streamDidClose(_ error: SystemError?) {
    deadline?.close()
    deadline = nil
    charge = nil
    unsent.release()
    leave()
    didClose()
  }
}
