import EventLoop
import HTTP

/// Handles the requests of a loop. Each loop has its own handler, isolated to the loop's executor, so that calling it
/// needs no change of thread.
package protocol HTTPHandler: LoopActor {
  /// Responds to a request as far as possible without waiting. Most requests get their response within the read that
  /// delivered them, without the connection's task. Errors are responses too.
  func answer(_ request: HTTPRequest) -> HTTPAnswer

  /// Decides from the head whether a body longer than `HTTPLimits.unadmittedBytes` is read.
  func admit(_ request: HTTPRequest) async -> BodyAdmission

  /// The response to a request whose body is longer than the limits allow. `request` has no body. The response ends the
  /// connection.
  nonisolated func rejection(of request: HTTPRequest, for failure: HTTPFailure) -> HTTPResponse

  /// The network that is charged for the bytes of a connection; nil for none. `request` may lack its body, and is nil
  /// until the head has arrived.
  func network(of request: HTTPRequest?, peer: String?) -> Payer?
}

/// Whether a long body is read.
package enum BodyAdmission: ~Copyable, Sendable {
  /// The body is read, and charged to the payer too.
  case admitted(Payer?)
  /// The response ends the connection.
  case rejected(HTTPResponse)
}

extension HTTPHandler {
  package func admit(_ request: HTTPRequest) async -> BodyAdmission { .admitted(nil) }
  package nonisolated func rejection(of request: HTTPRequest, for failure: HTTPFailure) -> HTTPResponse {
    HTTPResponse(rejecting: failure)
  }
  package func network(of request: HTTPRequest?, peer: String?) -> Payer? { nil }
}
