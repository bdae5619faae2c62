import Bytes
import CLibUV
import Glibc

extension TCPStream {
  /// Closes the sending side once all output is written. Reading continues, and the stream closes once the peer has
  /// closed its side too.
  package func shutdown() {
    guard !isShutdownRequested else { return }
    isShutdownRequested = true
    flush()
  }

  func sendEnd() {
    guard !isSendingEnd else { return }
    isSendingEnd = true
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    let status = uv_shutdown(request, uvStream) { request, _ in
      guard let request else { return }
      let handle = request.pointee.handle
      request.deallocate()
      // The status is ignored: the peer may have disconnected before.
      LoopHandle.with(handle, as: TCPStream.self) { stream in
        stream.hasSentEnd = true
        stream.closeIfEnded()
      }
    }
    if status != 0 {
      request.deallocate()
      close(SystemError(status, during: "ending a connection"))
    }
  }

  func closeIfEnded() {
    if hasReachedEnd && hasSentEnd { close() }
  }

  func close(_ error: SystemError) {
    self.error = self.error ?? error
    close()
  }
}
