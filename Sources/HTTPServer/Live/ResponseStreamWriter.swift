/// The owner of a response that is sent as it is made: an actor on the connection's loop, told on the loop's thread,
/// within its isolation.
package protocol ResponseStreamWriter: Actor {
  /// The head is sent: what is written now goes to the client.
  func responseDidBegin(_ stream: ResponseStream)
  /// What is sent when nothing else is for a while, so that nobody on the way takes the connection for dead.
  var heartbeat: [UInt8] { get }
  /// The client has taken everything, after it had been behind.
  func responseDidDrain()
  /// The server is shutting down. The owner ends the response, at once or when it has done what it is at.
  func responseShouldEnd()
  /// Nothing can be sent any more, for whichever reason. Said once, and the last that is said.
  func responseDidEnd()
}
