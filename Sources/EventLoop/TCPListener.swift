import CLibUV
import Glibc

/// Accepts connections on one loop and distributes them to all loops in turn.
///
/// Why not a socket with `SO_REUSEPORT` on each loop: the kernel then chooses by a hash of the addresses. Of 32
/// connections over 2 loops, the busier loop had 18 on average and 24 at worst (of 4 connections: 2.7 and all 4) for as
/// long as they lasted. Round robin is even, and moving to another loop costs a connection some 10 µs once.
package final class TCPListener: LoopHandle {
  /// How long accepting pauses when file descriptors or memory have run out, in milliseconds.
  private static let pauseWhenExhausted: UInt64 = 50
  /// The minimum time between two reports of exhaustion, in milliseconds.
  private static let reportInterval: UInt64 = 60_000
  /// How many connections are accepted before the loop serves other events.
  private static let acceptedPerTurn = 64

  /// Nil once the listener closes.
  private var socket: ListeningSocket?
  private let loops: [EventLoop]
  private let descriptorLimit: Int
  private var next = 0
  private let connected: @Sendable (sending TCPStream) -> Void
  private let exhausted: @Sendable (SystemError) -> Void
  /// When exhaustion is reported again, in the loop's milliseconds.
  private var nextReport: UInt64 = 0

  /// - Parameters:
  ///   - loop: The loop that accepts connections. Must be called on it.
  ///   - loops: The loops that serve them.
  ///   - descriptorLimit: A connection whose descriptor is not below this number is closed at once. The kernel chooses
  ///     the lowest free number, so all below are in use then.
  ///   - connected: Called on the thread of the stream's loop. The stream waits for its `start(delegate:)`.
  ///   - exhausted: Called when connections wait because descriptors or memory have run out, at most once a minute.
  package init(
    _ socket: ListeningSocket,
    on loop: EventLoop,
    dealingTo loops: [EventLoop],
    descriptorLimit: Int = .max,
    connected: @escaping @Sendable (sending TCPStream) -> Void,
    exhausted: @escaping @Sendable (SystemError) -> Void = { _ in }
  ) throws(SystemError) {
    precondition(!loops.isEmpty)
    let poll = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
    let status = loop.isStopping ? UV_ECANCELED.rawValue : uv_poll_init(loop.uvLoop, poll, socket.descriptor)
    self.socket = socket
    self.loops = loops
    self.descriptorLimit = descriptorLimit
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
      LoopHandle.with(pointer, as: TCPListener.self) { $0.accept() }
    }
  }

  /// Immediately, not a turn later: clients that reconnect because of a closed connection must not enter this backlog.
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
        // Here, because a loop that is busy counts its new connections late.
        if descriptor < descriptorLimit { deal(descriptor) } else { Glibc.close(descriptor) }
        continue
      }
      switch errno {
      case EINTR, ECONNABORTED, EPROTO: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return pause(after: errno)
      // Usually EAGAIN: the backlog is empty. Other errors concern a single connection.
      default: return
      }
    }
  }

  /// Stops polling: the connections stay in the kernel's backlog and would otherwise wake the loop repeatedly.
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
      // The loop is stopping, and the stream has closed the socket, which the peer notices.
    }
  }
}
