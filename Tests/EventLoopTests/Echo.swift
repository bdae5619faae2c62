import Bytes
import EventLoop
import TestSupport

/// An echo server.
actor Echo: TCPStreamDelegate {
  nonisolated let loop: EventLoop
  private let stream: TCPStream
  private let closed: Counter
  private var hasEnded = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ stream: sending TCPStream, closed: Counter) {
    loop = stream.loop
    self.stream = stream
    self.closed = closed
  }

  func start() { stream.start(delegate: self) }

  func streamDidRead(_ bytes: UnsafeRawBufferPointer) {
    stream.output.append(bytes)
    stream.cork()
    if stream.unsentCount > 1 << 18 {
      stream.stopReading()
      stream.notifyWhenDrained()
    }
  }

  func streamDidReachEnd() { stream.shutdown() }

  func streamDidDrain() { stream.startReading() }

  func streamDidClose(_ error: SystemError?) { closed.increment() }

  func close() { stream.close() }
}

/// An echo server on loops of its own.
struct EchoServer {
  let group: EventLoopGroup
  let port: Int
  let opened = Counter()
  let closed = Counter()

  init(loops: Int = 1, host: String = "127.0.0.1") async throws {
    group = try EventLoopGroup(count: loops)
    let socket = try ListeningSocket(host: host, port: 0)
    port = socket.port
    let (group, opened, closed) = (group, opened, closed)
    try await group.loops[0].run {
      _ = try TCPListener(socket, on: group.loops[0], dealingTo: group.loops) { stream in
        Echo(stream, closed: closed).assumeIsolated { $0.start() }
        opened.increment()
      }
    }
  }
}
