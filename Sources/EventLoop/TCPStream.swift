import Bytes
import CLibUV
import Glibc

/// A TCP connection. Confined to its loop's thread.
///
/// Responses are appended to `output` and written once at the end of the loop's turn (`cork()`) or immediately
/// (`flush()`). Bytes that the kernel does not accept stay in memory: check `unsentCount` before writing more
/// (backpressure).
///
/// Many bytes are written and read in portions, of which the loop writes one and reads one in each of its turns: 3 MB
/// take a millisecond, which keeps all other connections of the loop waiting.
package final class TCPStream: LoopHandle {
  /// An output buffer with a larger capacity is released once it is written, so that idle connections stay small.
  package var keptCapacity = 4096

  /// The next bytes to write. Append, then call `cork()` or `flush()`.
  package var output = ByteBuffer()
  /// The bytes that are written in portions. They must not change while libuv writes one, because it holds the address.
  private var beingWritten = ByteBuffer()
  /// The number of these bytes that are written.
  private var writtenCount = 0
  /// The number of bytes that libuv is writing.
  private var passedCount = 0
  private var isWriting = false
  private var isCorked = false
  private var isDrainAwaited = false
  var isShutdownRequested = false
  var isSendingEnd = false
  var hasSentEnd = false
  var hasReachedEnd = false
  /// Milliseconds for which a peer can accept none of the unsent bytes before it is disconnected; 0 for no limit.
  package var stallTimeout: UInt64 = 0
  private var stallTimer: LoopTimer?
  private var progressAtLastLook = 0
  /// The turn of the last read if it filled the buffer: then more may have arrived. Otherwise nil.
  private var bulkTurn: Int?
  private var delegate: (any TCPStreamDelegate)?
  var error: SystemError?

  /// Takes ownership of a connected socket, which is closed with the stream, or immediately if this fails.
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

  /// Sets the stream's delegate, which is retained until the stream has closed, and starts reading.
  package func start(delegate: any TCPStreamDelegate) {
    self.delegate = delegate
    startReading()
  }

  /// The numeric address of the peer; nil if the stream is closed.
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
    // It is not an error if the stream is already reading.
    let status = uv_read_start(
      uvStream,
      { pointer, _, buffer in
        LoopHandle.with(pointer, as: TCPStream.self) { buffer?.pointee = $0.roomForReading }
      },
      { pointer, count, buffer in
        guard count != 0 else { return }
        LoopHandle.with(pointer, as: TCPStream.self) { $0.didRead(count, base: buffer?.pointee.base) }
      }
    )
    if status != 0 && status != UV_EALREADY.rawValue { close(SystemError(status, during: "reading")) }
  }

  package func stopReading() {
    guard !isClosing else { return }
    uv_read_stop(uvStream)
  }

  /// The loop's read buffer; none if the stream must not read now.
  private var roomForReading: uv_buf_t {
    if let bulkTurn, !loop.confined.pointee.bulkReads.admits(bulkTurn) { return uv_buf_t(base: nil, len: 0) }
    let room = loop.confined.pointee.readBuffer
    return uv_buf_t(base: room.baseAddress?.assumingMemoryBound(to: CChar.self), len: room.count)
  }

  private func didRead(_ count: Int, base: UnsafePointer<CChar>?) {
    if count > 0 {
      // libuv reads until the buffer is not filled, up to 32 times in a turn.
      bulkTurn = count == EventLoop.readBufferSize ? loop.confined.pointee.bulkReads.didFill() : nil
      delegate?.didRead(UnsafeRawBufferPointer(start: base, count: count))
    } else if count == Int(UV_EOF.rawValue) {
      hasReachedEnd = true
      delegate?.didReachEnd()
      closeIfEnded()
    } else if count != Int(UV_ENOBUFS.rawValue) {
      close(SystemError(Int32(count), during: "reading"))
    }
  }

  // MARK: Writing

  /// The number of appended bytes that the kernel has not accepted.
  package var unsentCount: Int { output.count + beingWritten.count - writtenCount }

  /// The most bytes that are written in a turn of the loop.
  private static let portionSize = 128 << 10

  /// The number of bytes from which `append(_:)` avoids a copy.
  private static let copiedBytes = 64 << 10

  /// Appends bytes to the output, to be written at the end of the loop's turn. Many bytes are not copied if everything
  /// before them can be written first: copying a megabyte into new memory takes the loop 0.3 ms.
  package func append(_ bytes: consuming ByteBuffer) {
    let isLong = bytes.count > Self.copiedBytes
    if isLong { flush() }
    if isLong && output.isEmpty {
      output = bytes
      // The bytes that are appended next would move these to larger memory.
      flush()
    } else {
      output.append(bytes)
    }
    cork()
  }

  /// Schedules a single write of the output at the end of the loop's turn.
  package func cork() {
    guard !isCorked, !isClosing else { return }
    isCorked = true
    loop.confined.pointee.corkedStreams.append(Unmanaged.passUnretained(self))
  }

  /// Calls the delegate's `streamDidDrain()` once when there are no unsent bytes: at the end of this turn at the
  /// earliest, and never within a call of the delegate.
  package func notifyWhenDrained() {
    isDrainAwaited = true
    cork()
  }

  /// Called by the loop for a corked stream.
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
    if isShutdownRequested && output.isEmpty && !isWriting { sendEnd() }
  }

  private func write() {
    let portion = min(output.count, Self.portionSize)
    let status = output.withUnsafeBytes { tryWrite(UnsafeRawBufferPointer(rebasing: $0[..<portion])) }
    guard let written = acceptedCount(status) else { return }
    guard written < output.count else { return output.empty(keeping: keptCapacity) }
    swap(&output, &beingWritten)
    writtenCount = written
    isWriting = true
    if written < portion { writeWhenAccepted(portion - written) } else { loop.continueNextTurn(self) }
  }

  /// Called by the loop in a turn after the one of the last portion.
  func writeNextPortion() {
    guard !isClosing else { return }
    let portion = min(beingWritten.count - writtenCount, Self.portionSize)
    let status = beingWritten.withUnsafeBytes {
      tryWrite(UnsafeRawBufferPointer(rebasing: $0[writtenCount..<writtenCount + portion]))
    }
    guard let written = acceptedCount(status) else { return }
    writtenCount += written
    if written < portion { writeWhenAccepted(portion - written) } else { didWritePortion() }
  }

  private func tryWrite(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    var buffer = uv_buf_t(bytes)
    return uv_try_write(uvStream, &buffer, 1)
  }

  /// How many bytes the kernel has accepted; nil after an error, which closes the stream.
  private func acceptedCount(_ status: Int32) -> Int? {
    if status >= 0 { return Int(status) }
    if status == UV_EAGAIN.rawValue { return 0 }
    close(SystemError(status, during: "writing"))
    return nil
  }

  /// Passes the next `count` bytes to libuv, which writes them as the peer accepts them.
  private func writeWhenAccepted(_ count: Int) {
    let request = UnsafeMutablePointer<uv_write_t>.allocate(capacity: 1)
    let status = beingWritten.withUnsafeBytes { bytes in
      // The address outlives the closure: `beingWritten` keeps it valid and unchanged until the callback.
      var buffer = uv_buf_t(UnsafeRawBufferPointer(rebasing: bytes[writtenCount..<writtenCount + count]))
      return uv_write(request, uvStream, &buffer, 1) { request, status in
        guard let request else { return }
        let handle = request.pointee.handle
        request.deallocate()
        LoopHandle.with(handle, as: TCPStream.self) { $0.didWriteAccepted(status) }
      }
    }
    passedCount = count
    if status != 0 {
      request.deallocate()
      close(SystemError(status, during: "writing"))
    } else if stallTimeout > 0 {
      watchForStall()
    }
  }

  /// Only used for a peer that has not accepted everything immediately, which is rare: other connections need no timer.
  private func watchForStall() {
    if stallTimer == nil { stallTimer = LoopTimer(on: loop) { [self] in checkForStall() } }
    progressAtLastLook = progress
    stallTimer?.start(after: stallTimeout)
  }

  /// A number that changes when the peer accepts bytes.
  private var progress: Int { writtenCount - uv_stream_get_write_queue_size(uvStream) }

  private func checkForStall() {
    guard isWriting, !isClosing else { return }
    if progress == progressAtLastLook {
      close(SystemError(ETIMEDOUT, during: "writing"))
    } else {
      watchForStall()
    }
  }

  private func didWriteAccepted(_ status: Int32) {
    stallTimer?.stop()
    // Closed in the meantime: the delegate is notified of the close.
    guard !isClosing else { return }
    guard status == 0 else { return close(SystemError(status, during: "writing")) }
    writtenCount += passedCount
    didWritePortion()
  }

  private func didWritePortion() {
    guard writtenCount == beingWritten.count else { return loop.continueNextTurn(self) }
    isWriting = false
    beingWritten.empty(keeping: 0)
    writtenCount = 0
    flush()
    notifyIfDrained()
  }

  // MARK: Ending

  override func didClose() {
    if isCorked { loop.forgetCorked(self) }
    stallTimer?.close()
    stallTimer = nil
    delegate?.didClose(error)
    delegate = nil
  }

  // MARK: libuv

  var uvStream: UnsafeMutablePointer<uv_stream_t> { memory.assumingMemoryBound(to: uv_stream_t.self) }
}
