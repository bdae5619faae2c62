import Bytes
import EventLoop
import HTTPServer

/// A response that is sent in parts, each executed when the client has read enough of those before.
actor MultipartResponse: ResponseStreamWriter {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private var parts: ResponseParts?
  private var stream: ResponseStream?
  private var task: Task<Void, Never>?
  private var hasBegun = false

  /// Empty: a part cannot be interrupted, and the next one follows soon.
  let heartbeat: [UInt8] = []

  init(_ parts: ResponseParts, on loop: EventLoop) {
    self.loop = loop
    self.parts = parts
  }

  func responseDidBegin(_ stream: ResponseStream) {
    self.stream = stream
    sendParts()
  }

  private func sendParts() {
    guard let parts else { return }
    task = Task(executorPreference: loop) { [self] in await send(parts) }
  }

  private func send(_ parts: ResponseParts) async {
    if await parts.send(while: { canSend }, { send($0) }) { end() } else { task = nil }
  }

  private var canSend: Bool { stream.map { stream in stream.assumeOnLoop { !$0.isBehind } } ?? false }

  /// Sends a part with the delimiter after it: the next part may take a while, and clients wait for the delimiter.
  private func send(_ part: consuming ByteBuffer) {
    let head = hasBegun ? MultipartFormat.head : MultipartFormat.delimiter + MultipartFormat.head
    hasBegun = true
    var part: ByteBuffer? = consume part
    stream?.assumeOnLoop { stream in
      guard let part = part.take() else { return }
      stream.send(part, after: head, before: MultipartFormat.delimiter)
    }
  }

  private func end() {
    stream?.assumeOnLoop { stream in
      stream.send(MultipartFormat.end)
      stream.end()
    }
  }

  func responseDidDrain() { if task == nil { sendParts() } }

  /// The parts that follow are sent first: they are a part of one response.
  func responseShouldEnd() {}

  func responseDidEnd() {
    stream = nil
    parts = nil
    task?.cancel()
    task = nil
  }
}
