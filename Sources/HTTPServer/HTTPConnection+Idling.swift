import EventLoop
import HTTP

extension HTTPConnection {
  /// Nil unless the connection waits for a request and has nothing unsent.
  var idleDeadline: UInt64? {
    guard state == .reading, awaited == .idle, stream.unsentCount == 0 else { return nil }
    return deadline?.time
  }
}
