import HTTP

/// What answers requests: one for each loop, on that loop's executor, so that asking it costs no change of thread.
package protocol HTTPHandler: Actor {
  /// Answers one request. A failure is an answer too: what to say about it is the handler's to know. The task is
  /// cancelled when the client has gone.
  func respond(to request: HTTPRequest) async -> HTTPResponse

  /// Answers a request for which nothing has to be waited for; nil for any other, which `respond` is then asked. It
  /// saves such a request the way through its connection's task. Streams and WebSockets begin here: whatever they have
  /// to wait for, they wait for when they are open.
  func respondAtOnce(to request: HTTPRequest) -> HTTPAnswer?

  /// Decides whether more of a request's body is read than `HTTPLimits.unadmittedBytes`, from its head alone.
  func admit(_ request: HTTPRequest) async -> BodyAdmission

  /// The network that a connection's bytes are charged to; nil for none. `request` is without its body, and nil while
  /// the head has not come.
  func network(of request: HTTPRequest?, peer: String?) -> ByteOwner?
}

/// What becomes of a request with a long body.
package enum BodyAdmission: ~Copyable, Sendable {
  /// It is read, and charged to the owner too.
  case admitted(ByteOwner?)
  /// The response ends the connection.
  case rejected(HTTPResponse)
}

extension HTTPHandler {
  package func respondAtOnce(to request: HTTPRequest) -> HTTPAnswer? { nil }
  package func admit(_ request: HTTPRequest) async -> BodyAdmission { .admitted(nil) }
  package func network(of request: HTTPRequest?, peer: String?) -> ByteOwner? { nil }
}
