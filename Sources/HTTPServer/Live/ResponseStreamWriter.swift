import EventLoop

/// The writer of a streamed response: an actor on the connection's loop, called on the loop's thread within its
/// isolation.
package protocol ResponseStreamWriter: LoopActor {
  /// Called after the head: the writer can send its body from now on.
  func responseDidBegin(_ stream: ResponseStream)
  /// Sent when the stream is idle, so that intermediaries do not close the connection.
  var heartbeat: [UInt8] { get }
  /// Called when a slow consumer has read everything.
  func responseDidDrain()
  /// Called when the server shuts down. The writer ends the response, immediately or after its current work.
  func responseShouldEnd()
  /// Called once, as the last call, when nothing can be sent any more.
  func responseDidEnd()
}
