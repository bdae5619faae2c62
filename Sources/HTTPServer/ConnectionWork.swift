import HTTP

/// A step of a connection that calls the handler and can wait for it.
///
/// Not a type within the generic connection: the metadata of such a type is looked up at run time, for each request.
/// Indirect: with a request, a step has 250 bytes, which are copied several times on the way to the connection's task.
indirect enum ConnectionWork {
  case answer(HTTPRequest, @Sendable (HTTPRequest) async -> HTTPAnswer)
  case admission(HTTPRequest)
}
