import CLibUV
import Glibc

/// Accepts connections on one loop and deals them out to all, in turn.
///
/// Why not a socket with `SO_REUSEPORT` on each loop: the kernel then chooses by a hash of the addresses, and of 32
/// connections over 2 loops the busier one had 18 on average and 24 at worst (of 4 connections: 2.7 and all 4), for as
/// long as they last. Dealt out in turn they are even, and the way to another loop costs a connection some 10 µs once.
package final class TCPListener: LoopHandle {
  /// How long to leave arrivals waiting when descriptors or memory have run out, in milliseconds.
  private static let pauseWhenExhausted: UInt64 = 50
  /// Exhaustion is reported once in so many milliseconds.
  private static let reportInterval: UInt64 = 60_000
  /// How many connections are accepted before the loop sees to others.
  private static let acceptedPerTurn = 64

  /// Nil once the listener closes.
  private var socket: ListeningSocket?
  private let loops: [EventLoop]
  private var next = 0
  private let connected: @Sendable (sending TCPStream) -> Void
  private let exhausted: @Sendable (SystemError) -> Void
  /// When exhaustion is reported again, in the loop's milliseconds.
  private var nextReport: UInt64 = 0

  /// - Parameters:
  ///   - loop: where connections are accepted; the caller is on it.
  ///   - loops: where they live.
  ///   - connected: called on the thread of the stream's loop; the stream waits for its `start(delegate:)`.
  ///   - exhausted: called when connections wait since descriptors or memory have run out, at most once a minute.
  package init(
    _ socket: ListeningSocket,
    on loop: EventLoop,
    dealingTo loops: [EventLoop],
    connected: @escaping @Sendable (sending TCPStream) -> Void,
    exhausted: @escaping @Sendable (SystemError) -> Void = { _ in }
  ) throws(SystemError) {
    precondition(!loops.isEmpty)
    let poll = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
    let status = loop.isStopping ? UV_ECANCELED.rawValue : uv_poll_init(loop.uvLoop, poll, socket.descriptor)
    self.socket = socket
    self.loops = loops
    self.connected = connected
    self.exhausted = exhausted
    guard status == 0 else {
      poll.deallocate()
      throw SystemError(status, during: "listening")
    }
    super.init(memory: UnsafeMutableRawPointer(poll), on: loop)
    resume()
  }

  private func resume() {
    guard !isClosing else { return }
    uv_poll_start(memory.assumingMemoryBound(to: uv_poll_t.self), Int32(UV_READABLE.rawValue)) { pointer, _, _ in
      guard let pointer else { return }
      let handle = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self)
      // Every uv_poll_t of this module is made by a TCPListener.
      unsafeDowncast(LoopHandle.of(handle), to: TCPListener.self).accept()
    }
  }

  /// At once, not a turn later: who is told by a closed connection to come again must not get into this queue.
  override func didBeginToClose() { socket = nil }

  private func accept() {
    guard let socket else { return }
    for _ in 0..<Self.acceptedPerTurn {
      let descriptor = accept4(
        socket.descriptor,
        nil,
        nil,
        Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      )
      if descriptor >= 0 {
        deal(descriptor)
        continue
      }
      switch errno {
      case EINTR, ECONNABORTED, EPROTO: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return pause(after: errno)
      // Nobody else waits, EAGAIN, as a rule. Anything else concerns the one connection that it was.
      default: return
      }
    }
  }

  /// Connections stay in the kernel's queue, where they would otherwise wake the loop again and again in vain.
  private func pause(after error: Int32) {
    if loop.now >= nextReport {
      nextReport = loop.now + Self.reportInterval
      exhausted(SystemError(-error, during: "accepting a connection"))
    }
    uv_poll_stop(memory.assumingMemoryBound(to: uv_poll_t.self))
    loop.schedule(after: Self.pauseWhenExhausted) { self.resume() }
  }

  private func deal(_ descriptor: Int32) {
    let target = loops[next]
    next = (next + 1) % loops.count
    let connected = connected
    if target === loop {
      Self.open(descriptor, on: target, connected)
    } else {
      Task(executorPreference: target) { TCPListener.open(descriptor, on: target, connected) }
    }
  }

  private static func open(
    _ descriptor: Int32,
    on loop: EventLoop,
    _ connected: @Sendable (sending TCPStream) -> Void
  ) {
    do throws(SystemError) {
      let stream = try TCPStream(descriptor: descriptor, on: loop)
      connected(stream)
    } catch {
      // The loop is stopping, and the stream has closed the socket: the peer sees that.
    }
  }
}
