import HTTP

/// A step of a connection that calls the handler and can wait for it. Not a type within the generic connection: the
/// metadata of such a type is looked up at run time, for each request.
enum ConnectionWork {
  case answer(HTTPRequest, @Sendable () async -> HTTPAnswer)
  case admission(HTTPRequest)
}
