/// The delegate of a TCP stream: an actor on the stream's loop, called on the loop's thread within its isolation.
package protocol TCPStreamDelegate: LoopActor {
  /// Calls `streamDidRead`. Delegates with many reads keep it: see `LoopCall`.
  nonisolated var reading: LoopCall<Self, UnsafeRawBufferPointer, Void> { get }
  /// Called with received bytes, which are only valid during the call.
  func streamDidRead(_ bytes: UnsafeRawBufferPointer)
  /// Called when the peer has closed its sending side. It may still be reading.
  func streamDidReachEnd()
  /// Called when the kernel has accepted all bytes, after `notifyWhenDrained()`.
  func streamDidDrain()
  /// Called last, when the stream is closed: by the delegate, by the loop's stop, or by the given error.
  func streamDidClose(_ error: SystemError?)
}

// Streams call their delegate on the loop's thread, which is the actor's isolation.
extension TCPStreamDelegate {
  package nonisolated var reading: LoopCall<Self, UnsafeRawBufferPointer, Void> { LoopCall { $0.streamDidRead($1) } }

  nonisolated func didRead(_ bytes: UnsafeRawBufferPointer) { reading.call(on: self, with: bytes) }

  nonisolated func didReachEnd() { assumeOnLoop { $0.streamDidReachEnd() } }

  nonisolated func didDrain() { assumeOnLoop { $0.streamDidDrain() } }

  nonisolated func didClose(_ error: SystemError?) { assumeOnLoop { $0.streamDidClose(error) } }
}
