/// The delegate of a TCP stream: an actor on the stream's loop, called on the loop's thread within its isolation.
package protocol TCPStreamDelegate: LoopActor {
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
  nonisolated func didRead(_ bytes: UnsafeRawBufferPointer) {
    assumeOnLoop(passing: bytes) { $0.streamDidRead($1) }
  }

  nonisolated func didReachEnd() { assumeOnLoop { $0.streamDidReachEnd() } }

  nonisolated func didDrain() { assumeOnLoop { $0.streamDidDrain() } }

  nonisolated func didClose(_ error: SystemError?) { assumeOnLoop { $0.streamDidClose(error) } }
}
