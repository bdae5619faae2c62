import Bytes
import CLibUV
import Glibc

/// A TCP connection. Belongs to its loop's thread.
///
/// Answers are appended to `output` and go out with one write at the end of the loop's turn (`cork()`) or at once
/// (`flush()`). What the kernel does not take waits in memory: an owner looks at `unsentCount` before it makes more.
package final class TCPStream: LoopHandle {
  /// An output buffer that grew beyond this is given back once it is written, so that idle connections stay small.
  package var keptCapacity = 4096

  /// What is to be written next. Append, then `cork()` or `flush()`.
  package var output = ByteBuffer(capacity: 64)
  /// What libuv is writing: not to be touched until its callback, for libuv holds the address.
  private var beingWritten = ByteBuffer(capacity: 64)
  private var isWriting = false
  private var isCorked = false
  private var isDrainAwaited = false
  private var isShutdownRequested = false
  private var isSendingEnd = false
  private var hasSentEnd = false
  private var hasReachedEnd = false
  /// How long, in milliseconds, a peer may take nothing of what is waiting for it before it is cut off; 0 for ever.
  package var stallTimeout: UInt64 = 0
  private var stallTimer: LoopTimer?
  private var unsentAtLastLook = 0
  private var delegate: (any TCPStreamDelegate)?
  private var error: SystemError?

  /// Takes over a connected socket, which is closed with the stream, or at once when this fails.
  package init(descriptor: Int32, on loop: EventLoop) throws(SystemError) {
    guard !loop.isStopping else {
      Glibc.close(descriptor)
      throw SystemError(UV_ECANCELED.rawValue, during: "opening a connection")
    }
    let tcp = UnsafeMutablePointer<uv_tcp_t>.allocate(capacity: 1)
    // Cannot fail without a socket to make.
    uv_tcp_init(loop.uvLoop, tcp)
    super.init(memory: UnsafeMutableRawPointer(tcp), on: loop)
    let status = uv_tcp_open(tcp, descriptor)
    guard status == 0 else {
      Glibc.close(descriptor)
      close()
      throw SystemError(status, during: "opening a connection")
    }
  }

  /// Replaces the stream's delegate, which is retained until the stream has closed, and starts reading.
  package func start(delegate: any TCPStreamDelegate) {
    self.delegate = delegate
    startReading()
  }

  /// Where the connection comes from, in numbers; nil when it is closed.
  package var peerAddress: String? {
    guard !isClosing else { return nil }
    var descriptor = uv_os_fd_t()
    guard uv_fileno(UnsafeRawPointer(uvStream).assumingMemoryBound(to: uv_handle_t.self), &descriptor) == 0 else {
      return nil
    }
    return SocketAddress(peerOf: descriptor).host
  }

  package func startReading() {
    guard !isClosing else { return }
    // Reading already is no error.
    let status = uv_read_start(
      uvStream,
      { handle, _, buffer in
        let room = EventLoop.of(handle?.pointee.loop).confined.pointee.readBuffer
        buffer?.pointee = uv_buf_t(base: room.baseAddress?.assumingMemoryBound(to: CChar.self), len: room.count)
      },
      { pointer, count, buffer in
        guard let pointer, count != 0 else { return }
        TCPStream.of(pointer).didRead(count, buffer?.pointee.base)
      }
    )
    if status != 0 && status != UV_EALREADY.rawValue { close(SystemError(status, during: "reading")) }
  }

  package func stopReading() {
    guard !isClosing else { return }
    uv_read_stop(uvStream)
  }

  private func didRead(_ count: Int, _ base: UnsafePointer<CChar>?) {
    if count > 0 {
      delegate?.didRead(UnsafeRawBufferPointer(start: base, count: count))
    } else if count == Int(UV_EOF.rawValue) {
      hasReachedEnd = true
      delegate?.didReachEnd()
      closeIfEnded()
    } else {
      close(SystemError(Int32(count), during: "reading"))
    }
  }

  // MARK: Writing

  /// How many bytes of what has been appended the kernel has not taken yet.
  package var unsentCount: Int { output.count + uv_stream_get_write_queue_size(uvStream) }

  /// Lets the output be written at the end of the loop's turn, once for however much is appended until then.
  package func cork() {
    guard !isCorked, !isClosing else { return }
    isCorked = true
    loop.confined.pointee.corkedStreams.append(self)
  }

  /// Calls the owner's `streamDidDrain()`, once, when nothing is unsent any more: at the end of this turn at the
  /// earliest, never within a call of the owner's.
  package func notifyWhenDrained() {
    isDrainAwaited = true
    cork()
  }

  /// The loop's call to a stream that is corked.
  func turnDidFinish() {
    isCorked = false
    flush()
    notifyIfDrained()
  }

  private func notifyIfDrained() {
    guard isDrainAwaited, !isClosing, unsentCount == 0 else { return }
    isDrainAwaited = false
    delegate?.didDrain()
  }

  /// Writes the output now.
  package func flush() {
    guard !isWriting, !isClosing else { return }
    if !output.isEmpty { write() }
    if isShutdownRequested && output.isEmpty { sendEnd() }
  }

  private func write() {
    let count = output.count
    let status = output.withUnsafeBytes { bytes in
      var buffer = uv_buf_t(bytes)
      return uv_try_write(uvStream, &buffer, 1)
    }
    if Int(status) == count {
      output.empty(keeping: keptCapacity)
    } else if status >= 0 || status == UV_EAGAIN.rawValue {
      writeRest(from: max(0, Int(status)))
    } else {
      close(SystemError(status, during: "writing"))
    }
  }

  /// Hands the output to libuv, but for the first `written` bytes, to be written as the peer takes it.
  private func writeRest(from written: Int) {
    swap(&output, &beingWritten)
    isWriting = true
    let request = UnsafeMutablePointer<uv_write_t>.allocate(capacity: 1)
    let status = beingWritten.withUnsafeBytes { bytes in
      // The address leaves the closure: `beingWritten` keeps it good, unchanged until the callback.
      var buffer = uv_buf_t(UnsafeRawBufferPointer(rebasing: bytes[written...]))
      return uv_write(request, uvStream, &buffer, 1) { request, status in
        guard let request, let pointer = request.pointee.handle else { return }
        request.deallocate()
        TCPStream.of(pointer).didWriteRest(status)
      }
    }
    if status != 0 {
      request.deallocate()
      close(SystemError(status, during: "writing"))
    } else if stallTimeout > 0 {
      watchForStall()
    }
  }

  /// Only ever for a peer that has not taken all at once, which is rare: others cost no timer.
  private func watchForStall() {
    if stallTimer == nil { stallTimer = LoopTimer(on: loop) { [self] in checkForStall() } }
    unsentAtLastLook = uv_stream_get_write_queue_size(uvStream)
    stallTimer?.start(after: stallTimeout)
  }

  private func checkForStall() {
    guard isWriting, !isClosing else { return }
    if uv_stream_get_write_queue_size(uvStream) == unsentAtLastLook {
      close(SystemError(ETIMEDOUT, during: "writing"))
    } else {
      watchForStall()
    }
  }

  private func didWriteRest(_ status: Int32) {
    isWriting = false
    stallTimer?.stop()
    beingWritten.empty(keeping: 64)
    // Closed meanwhile: the close will tell.
    guard !isClosing else { return }
    guard status == 0 else { return close(SystemError(status, during: "writing")) }
    flush()
    notifyIfDrained()
  }

  // MARK: Ending

  /// Tells the peer, when all output is written, that nothing more comes. Reading goes on, and when the peer has ended
  /// its side as well the stream closes by itself.
  package func shutdown() {
    guard !isShutdownRequested else { return }
    isShutdownRequested = true
    flush()
  }

  private func sendEnd() {
    guard !isSendingEnd else { return }
    isSendingEnd = true
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    let status = uv_shutdown(request, uvStream) { request, _ in
      guard let request, let pointer = request.pointee.handle else { return }
      request.deallocate()
      // Whether the peer has gone before does not matter.
      let stream = TCPStream.of(pointer)
      stream.hasSentEnd = true
      stream.closeIfEnded()
    }
    if status != 0 {
      request.deallocate()
      close(SystemError(status, during: "ending a connection"))
    }
  }

  private func closeIfEnded() {
    if hasReachedEnd && hasSentEnd { close() }
  }

  private func close(_ error: SystemError) {
    self.error = self.error ?? error
    close()
  }

  override func didClose() {
    stallTimer?.close()
    stallTimer = nil
    delegate?.didClose(error)
    delegate = nil
  }

  // MARK: libuv

  private var uvStream: UnsafeMutablePointer<uv_stream_t> { memory.assumingMemoryBound(to: uv_stream_t.self) }

  private static func of(_ pointer: UnsafeMutablePointer<uv_stream_t>) -> TCPStream {
    let handle = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self)
    // Every uv_stream_t of this module is made by a TCPStream.
    return unsafeDowncast(LoopHandle.of(handle), to: TCPStream.self)
  }
}

extension uv_buf_t {
  /// Bytes for libuv to read from: C has no const here, libuv writes nothing to them.
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    self.init(
      base: UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
      len: bytes.count
    )
  }
}

extension ByteBuffer {
  /// Forgets the bytes, and their memory too when it is more than `capacity`.
  fileprivate mutating func empty(keeping capacity: Int) {
    if self.capacity > capacity {
      self = ByteBuffer(capacity: 64)
    } else {
      removeAll()
    }
  }
}
