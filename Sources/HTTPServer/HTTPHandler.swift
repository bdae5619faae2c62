import HTTP

/// What answers requests: one for each loop, on that loop's executor, so that asking it costs no change of thread.
package protocol HTTPHandler: Actor {
  /// Answers one request as far as that goes without waiting: most requests are answered within the read that brought
  /// them, without the connection's task. A failure is an answer too: the handler knows what to say about it.
  func answer(_ request: HTTPRequest) -> HTTPAnswer

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
  package func admit(_ request: HTTPRequest) async -> BodyAdmission { .admitted(nil) }
  package func network(of request: HTTPRequest?, peer: String?) -> ByteOwner? { nil }
}
