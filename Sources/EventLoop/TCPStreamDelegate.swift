/// The owner of a TCP stream: an actor on the stream's loop, told on the loop's thread, within its isolation.
package protocol TCPStreamDelegate: Actor {
  /// Bytes have come. They are the loop's and good for the length of this call only.
  func streamDidRead(_ bytes: UnsafeRawBufferPointer)
  /// The peer has said that it will send no more; it may still be reading.
  func streamDidReachEnd()
  /// All that was written has been handed to the kernel, as asked for by `notifyWhenDrained()`.
  func streamDidDrain()
  /// The stream is closed and gives no further call: by the owner, by the loop's stop, or by the error given.
  func streamDidClose(_ error: SystemError?)
}

// How a stream calls its owner: from the loop's thread, which is the actor's isolation (65 ns for the check).
extension TCPStreamDelegate {
  nonisolated func didRead(_ bytes: UnsafeRawBufferPointer) {
    // Handed on within the call, on the one thread that has it.
    nonisolated(unsafe) let bytes = bytes
    assumeIsolated { $0.streamDidRead(bytes) }
  }

  nonisolated func didReachEnd() { assumeIsolated { $0.streamDidReachEnd() } }

  nonisolated func didDrain() { assumeIsolated { $0.streamDidDrain() } }

  nonisolated func didClose(_ error: SystemError?) { assumeIsolated { $0.streamDidClose(error) } }
}
