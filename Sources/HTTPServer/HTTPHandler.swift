import HTTP

/// What answers requests: one for each loop, on that loop's executor, so that asking it costs no change of thread.
package protocol HTTPHandler: Actor {
  /// Answers one request. A failure is an answer too: what to say about it is the handler's to know. The task is
  /// cancelled when the client has gone.
  func respond(to request: HTTPRequest) async -> HTTPResponse

  /// Answers a request for which nothing has to be waited for; nil for any other, which `respond` is then asked. It saves
  /// such a request the way through its connection's task. Streams and WebSockets begin here: whatever they have to wait
  /// for, they wait for when they are open.
  func respondAtOnce(to request: HTTPRequest) -> HTTPAnswer?

  /// Says whether the body of a request may be longer than others are (`HTTPLimits.formBytes`), from its head alone: nil
  /// admits it, and an answer is given in its place, with which the connection ends.
  func admit(_ request: HTTPRequest) async -> HTTPResponse?
}

extension HTTPHandler {
  package func respondAtOnce(to request: HTTPRequest) -> HTTPAnswer? { nil }
  package func admit(_ request: HTTPRequest) async -> HTTPResponse? { nil }
}
